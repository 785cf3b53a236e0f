/** Picks from a list by chance. */
import { z } from 'zod'
import { mostItems, scalarList } from './bounds.ts'
import { answer, computing, refuse } from './computing.ts'
import { randomOf, shuffled } from './random.ts'

export const pickRandom = computing({
  name: 'pick_random',
  version: '1',
  description:
    'Pick items of a list at random, each at most once unless repeats are allowed. All of them is a shuffle.',
  group: 'generation',
  tags: [
    'choose',
    'sample',
    'shuffle',
    'mix',
    'raffle',
    'decide',
    'winner',
    'select',
    'draw',
    'coin',
    'flip a coin',
    'heads or tails',
    'one of',
    'random order',
  ],
  input: z.strictObject({
    items: scalarList,
    count: z.int().min(1).max(mostItems).default(1),
    repeats: z.boolean().default(false),
  }),
  describe: ({ items, count }) => `Pick ${count} of ${items.length}`,
  compute({ items, count, repeats }) {
    if (items.length === 0) return refuse('There is nothing to pick from.')
    if (!repeats && count > items.length) return refuse(`There are only ${items.length} items to pick from.`)
    const picked = repeats
      ? Array.from({ length: count }, () => randomOf(items) ?? '')
      : shuffled(items).slice(0, count)
    return answer(picked)
  },
})
