/** Draws numbers. */
import { z } from 'zod'
import { answer, computing, refuse } from './computing.ts'
import { randomBelow, randomFraction } from './random.ts'

export const randomNumber = computing({
  name: 'random_number',
  version: '1',
  description: 'Generate random numbers from min to max, both included; whole numbers unless told otherwise.',
  group: 'generation',
  tags: [
    'random',
    'integer',
    'range',
    'draw',
    'lottery',
    'chance',
    'pick a number',
    'number between',
    'guess',
    'coin',
  ],
  input: z.strictObject({
    min: z.number(),
    max: z.number(),
    whole: z.boolean().default(true),
    count: z.int().min(1).max(1000).default(1),
  }),
  describe: ({ min, max, count }) =>
    `Draw ${count === 1 ? 'a number' : `${count} numbers`} from ${min} to ${max}`,
  compute({ min, max, whole, count }) {
    const [low, high] = whole ? [Math.ceil(min), Math.floor(max)] : [min, max]
    if (low > high) return refuse('There is no such number between min and max.')
    if (!Number.isFinite(high - low) || (whole && !Number.isSafeInteger(high - low + 1)))
      return refuse('The range is too wide.')
    const drawn = Array.from({ length: count }, () =>
      whole ? low + randomBelow(high - low + 1) : low + randomFraction() * (high - low),
    )
    return answer(count === 1 ? { result: drawn[0] ?? low } : { results: drawn })
  },
})
