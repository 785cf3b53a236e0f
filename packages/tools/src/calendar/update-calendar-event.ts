/** Changes fields of an event. */
import { updateTool } from '../records/change.ts'
import { events } from './events.ts'

export const updateCalendarEvent = updateTool(events, {
  name: 'update_calendar_event',
  description: 'Change fields of a calendar event; null removes one.',
  tags: [
    'appointment',
    'meeting',
    'reschedule',
    'edit',
    'rearrange',
    'other time',
    'later that day',
    'new room',
  ],
  idParam: 'eventId',
})
