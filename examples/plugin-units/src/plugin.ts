/** Turns kitchen measures into grams and millilitres. It reaches nothing: no host, no file. */
import { pluginTool, z } from 'countersign/tools'

const millilitres = { cup: 240, tablespoon: 15, teaspoon: 5, 'fluid ounce': 29.5735 } as const
const grams = { ounce: 28.3495, pound: 453.592, 'stick of butter': 113 } as const
const factors = { ...millilitres, ...grams }
const names = Object.keys(factors) as (keyof typeof factors)[]

export default [
  pluginTool({
    name: 'to_metric',
    description: 'Turn a kitchen measure, such as cups or ounces, into millilitres or grams.',
    input: z.strictObject({
      amount: z.number().nonnegative().max(1_000_000),
      measure: z.enum(names),
    }),
    tier: 0,
    example: { amount: 1.5, measure: 'cup' },
    run: ({ amount, measure }) =>
      `${Math.round(amount * factors[measure])} ${measure in millilitres ? 'ml' : 'g'}`,
  }),
]
