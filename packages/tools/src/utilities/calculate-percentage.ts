/** Reckons with percentages. */
import { z } from 'zod'
import { answer, computing, refuse } from './computing.ts'

export const calculatePercentage = computing({
  name: 'calculate_percentage',
  version: '1',
  description:
    'Calculate a percentage: percent_of (x% of y), share (x as a percentage of y) or change (from x to y in percent).',
  group: 'mathStats',
  tags: [
    'percent',
    'percent of',
    'in percent',
    'ratio',
    'share',
    'growth',
    'discount',
    'tip',
    'tax',
    'vat',
    'increase',
    'decrease',
    'proportion',
    'went from',
    'rose',
    'fell',
    'went up',
    'went down',
    'how many percent',
  ],
  input: z.strictObject({
    operation: z.enum(['percent_of', 'share', 'change']),
    x: z.number(),
    y: z.number(),
  }),
  describe: ({ operation, x, y }) => sentences[operation](x, y),
  compute({ operation, x, y }) {
    const whole = operation === 'change' ? x : y
    if (operation !== 'percent_of' && whole === 0) return refuse('A percentage of zero has no meaning.')
    const result =
      operation === 'percent_of'
        ? (x / 100) * y
        : operation === 'share'
          ? (x / y) * 100
          : ((y - x) / Math.abs(x)) * 100
    if (!Number.isFinite(result)) return refuse('The result is too large for a number.')
    return answer({
      result: Number(result.toPrecision(12)),
      ...(operation === 'percent_of' ? {} : { unit: '%' }),
    })
  },
})

const sentences = {
  percent_of: (x: number, y: number) => `${x}% of ${y}`,
  share: (x: number, y: number) => `${x} as a percentage of ${y}`,
  change: (x: number, y: number) => `Change from ${x} to ${y}`,
}
