/** Deletes an event; an undo brings it back. */
import { deleteTool } from '../records/change.ts'
import { events } from './events.ts'

export const deleteCalendarEvent = deleteTool(events, {
  name: 'delete_calendar_event',
  description: 'Delete a calendar event.',
  tags: [
    'appointment',
    'meeting',
    'diary',
    'cancel',
    'called off',
    'is off',
    'remove',
    'erase',
    'take out of',
  ],
  idParam: 'eventId',
})
