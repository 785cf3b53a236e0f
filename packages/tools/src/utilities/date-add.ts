/** Adds one amount of time to a date. */
import { z } from 'zod'
import { brief, computing } from './computing.ts'
import { dateText } from './moment.ts'
import { addSpan, amount, units } from './span.ts'
import { zoneName } from './zone.ts'

export const dateAdd = computing({
  name: 'date_add',
  version: '1',
  description:
    'Add an amount of one unit to a date, or subtract it if negative. For several units at once use add_to_date.',
  group: 'dateTime',
  tags: [
    'plus',
    'minus',
    'subtract',
    'later',
    'before',
    'after',
    'ago',
    'from now',
    'from today',
    'days from',
    'weeks from',
    'weeks before',
    'what date',
    'date in',
    'deadline',
  ],
  input: z.strictObject({
    date: dateText,
    amount,
    unit: z.enum(units),
    timezone: zoneName.default('UTC'),
  }),
  describe: ({ date, amount: count, unit }) =>
    `${brief(date)} ${count < 0 ? '−' : '+'} ${Math.abs(count)} ${unit}`,
  compute: ({ date, amount: count, unit, timezone }) => addSpan(date, { [unit]: count }, timezone),
})
