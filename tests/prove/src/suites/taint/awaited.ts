/** Owns the list of parts that are not in the house yet. Hops that need one are written, and wait for it. */

export type Awaited = 'the routes of schedules' | 'the routes of history' | 'the routes of plans'

export const awaited: readonly Awaited[] = [
  'the routes of schedules',
  'the routes of history',
  'the routes of plans',
]
