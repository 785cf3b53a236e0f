/** Gives chosen measures of a list of numbers. */
import { z } from 'zod'
import { numbers } from './bounds.ts'
import { answer, computing } from './computing.ts'
import { figuresOf, measures, pickFigures } from './figures.ts'

export const calculateStatistics = computing({
  name: 'calculate_statistics',
  version: '1',
  description:
    'Calculate chosen statistical measures of a list of numbers, by default the six most common. For all of them use statistics.',
  group: 'mathStats',
  tags: ['average', 'mean', 'median', 'min', 'max', 'deviation', 'numbers', 'typical', 'standard deviation'],
  input: z.strictObject({
    numbers,
    measures: z
      .array(z.enum(measures))
      .min(1)
      .max(measures.length)
      .default(['count', 'mean', 'median', 'min', 'max', 'std']),
  }),
  describe: ({ numbers: list, measures: chosen }) =>
    `Statistics of ${list.length} numbers: ${chosen.join(', ')}`,
  compute({ numbers: list, measures: chosen }) {
    const figures = figuresOf(list)
    return figures.kind === 'refused' ? figures : answer(pickFigures(figures.value, chosen))
  },
})
