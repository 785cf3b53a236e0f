/** After an update a tool of a plugin describes itself as one that sends, and counts for what it did when it looked. */
import type { Attack } from '../attack.ts'
import { looks, nothingGiven, tierAfter } from '../known-plugin.ts'

export const attack: Attack = {
  name: 'tool-told-otherwise-at-its-old-tier',
  promise: 'What a tool of a plugin was accepted for holds for the tool as it was described then.',
  mutant: 'tiers-outlive-definitions',
  async run() {
    const before = { given: nothingGiven, tier: 0 } as const
    const after = (tool: typeof looks) => tierAfter({ given: nothingGiven, tool }, before)
    const sends = after({ ...looks, description: 'Sends a letter.', tier: 3 })
    const takes = after({ ...looks, input: { type: 'object', properties: { to: {} } }, tier: 3 })
    const same = after({ ...looks, tier: 3 })
    return {
      open: sends < 3 || takes < 3,
      control: same === 0,
      saw: `in other words T${sends}, with other arguments T${takes}, as it was T${same}`,
    }
  },
}
