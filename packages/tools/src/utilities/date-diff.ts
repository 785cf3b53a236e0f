/** Tells how far two dates are apart. */
import { z } from 'zod'
import { answer, brief, computing } from './computing.ts'
import { dateText } from './moment.ts'
import { spanBetween, units } from './span.ts'
import { zoneName } from './zone.ts'

export const dateDiff = computing({
  name: 'date_diff',
  version: '1',
  description:
    'Calculate the time from date1 to date2; negative if date2 is earlier. Days and longer go by the calendar of the time zone.',
  group: 'dateTime',
  tags: [
    'difference',
    'between',
    'duration',
    'age',
    'how old',
    'born',
    'days until',
    'until',
    'how many days',
    'how long',
    'how many weeks',
    'how many hours',
    'since',
    'countdown',
    'elapsed',
  ],
  input: z.strictObject({
    date1: dateText,
    date2: dateText,
    unit: z.enum(units).exactOptional(),
    timezone: zoneName.default('UTC'),
  }),
  describe: ({ date1, date2 }) => `Time from ${brief(date1)} to ${brief(date2)}`,
  compute({ date1, date2, unit, timezone }) {
    const span = spanBetween(date1, date2, timezone)
    if (span.kind === 'refused' || unit === undefined) return span
    return answer({ [unit]: span.value[unit] })
  },
})
