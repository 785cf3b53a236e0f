/** Rolls dice. */
import { z } from 'zod'
import { answer, brief, computing, refuse } from './computing.ts'
import { randomBelow } from './random.ts'

export const rollDice = computing({
  name: 'roll_dice',
  version: '1',
  description: 'Roll dice given as 2d6 or 1d20+3.',
  group: 'generation',
  tags: ['dice', 'die', 'game', 'd20', 'd6', 'chance', 'random', 'rpg', 'throw'],
  input: z.strictObject({ dice: z.string().min(1).max(30).default('1d6') }),
  describe: ({ dice }) => `Roll ${brief(dice)}`,
  compute({ dice }) {
    const parts = /^(\d{0,3})d(\d{1,4})([+-]\d{1,6})?$/i.exec(dice.replace(/\s+/g, ''))
    const [count, sides, extra] = [Number(parts?.[1] || 1), Number(parts?.[2]), Number(parts?.[3] ?? 0)]
    if (!parts || count < 1 || count > 100 || sides < 2)
      return refuse('Write the dice as 2d6 or 1d20+3: at most 100 dice of 2 to 9999 sides.')
    const rolls = Array.from({ length: count }, () => randomBelow(sides) + 1)
    return answer({ rolls, total: rolls.reduce((sum, roll) => sum + roll, extra) })
  },
})
