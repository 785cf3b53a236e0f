/** Adds one event. */
import { addTool } from '../records/add.ts'
import { events } from './events.ts'

export const addCalendarEvent = addTool(events, {
  name: 'add_calendar_event',
  description: 'Add an event to the calendar.',
  tags: [
    'appointment',
    'meeting',
    'schedule',
    'diary',
    'birthday',
    'date',
    'book',
    'plan',
    'set up',
    'arrange',
    'weekday',
    'put in',
    'every weekday',
    'save the date',
    'at a time',
  ],
})
