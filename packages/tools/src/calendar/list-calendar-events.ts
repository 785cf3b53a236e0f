/** Lists events in the order in which they begin. */
import { listTool } from '../records/list.ts'
import { events } from './events.ts'

export const listCalendarEvents = listTool(events, {
  name: 'list_calendar_events',
  description: 'List calendar events in order. Without any filter, from today on.',
  tags: [
    'appointment',
    'meeting',
    'schedule',
    'diary',
    'agenda',
    'show',
    'find',
    'search',
    'today',
    'upcoming',
    'next',
    'week',
    'weekend',
    'weekday',
    'my day',
    'free',
    'busy',
    'available',
    'when',
    'when is',
    'when do i',
    'planned',
    'plans',
    'happening',
    'birthday',
    'what time is the',
  ],
  narrow: (now) => ({ from: now.toISOString().slice(0, 10) }),
})
