import type { ToolDefinition } from '../definition.ts'
import { addCalendarEvent } from './add-calendar-event.ts'
import { batchAddCalendarEvents } from './batch-add-calendar-events.ts'
import { deleteCalendarEvent } from './delete-calendar-event.ts'
import { listCalendarEvents } from './list-calendar-events.ts'
import { updateCalendarEvent } from './update-calendar-event.ts'

export { events } from './events.ts'

export const calendarTools: readonly ToolDefinition[] = [
  addCalendarEvent,
  batchAddCalendarEvents,
  listCalendarEvents,
  updateCalendarEvent,
  deleteCalendarEvent,
]
