/** Adds many events at once. */
import { batchAddTool } from '../records/add.ts'
import { events } from './events.ts'

export const batchAddCalendarEvents = batchAddTool(events, 'events', {
  name: 'batch_add_calendar_events',
  description: 'Add several events at once, 100 at most.',
  tags: ['appointment', 'meeting', 'schedule', 'diary', 'many', 'bulk', 'import', 'dates', 'to my calendar'],
})
