/** Adds amounts of several units to a date. */
import { z } from 'zod'
import { brief, computing } from './computing.ts'
import { dateText } from './moment.ts'
import { addSpan, amount } from './span.ts'
import { zoneName } from './zone.ts'

const part = amount.exactOptional()

export const addToDate = computing({
  name: 'add_to_date',
  version: '1',
  description:
    'Add years, months, weeks, days, hours, minutes and seconds to a date, the calendar part first. For a single unit use date_add.',
  group: 'dateTime',
  tags: [
    'plus',
    'minus',
    'subtract',
    'duration',
    'later',
    'before',
    'after',
    'from today',
    'deadline',
    'what date',
    'will the date be',
  ],
  input: z.strictObject({
    date: dateText,
    years: part,
    months: part,
    weeks: part,
    days: part,
    hours: part,
    minutes: part,
    seconds: part,
    timezone: zoneName.default('UTC'),
  }),
  describe({ date, ...rest }) {
    const span = Object.entries(rest).filter(([name]) => name !== 'timezone')
    const parts = span.map(([unit, count]) => `${count} ${unit}`)
    return `Add to ${brief(date)}: ${parts.join(', ') || 'nothing'}`
  },
  compute: ({ date, timezone, ...span }) => addSpan(date, span, timezone),
})
