/** Gives every measure of a list of numbers. */
import { z } from 'zod'
import { numbers } from './bounds.ts'
import { computing } from './computing.ts'
import { figuresOf } from './figures.ts'

export const statistics = computing({
  name: 'statistics',
  version: '1',
  description:
    'Calculate all statistical measures of a list of numbers: mean, median, mode, variance, quartiles and more. For a few of them use calculate_statistics.',
  group: 'mathStats',
  tags: [
    'average',
    'mean',
    'median',
    'deviation',
    'standard deviation',
    'variance',
    'quartile',
    'numbers',
    'summary',
    'distribution',
  ],
  input: z.strictObject({ numbers }),
  describe: ({ numbers: list }) => `Statistics of ${list.length} numbers`,
  compute: ({ numbers: list }) => figuresOf(list),
})
