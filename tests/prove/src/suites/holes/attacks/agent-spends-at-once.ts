/** A coding agent asks its model many things at once, before the first answer has told what it cost. */
import type { Attack } from '../attack.ts'
import { asksLong, workOfAgent } from '../coding-agent.ts'

export const attack: Attack = {
  name: 'agent-spends-at-once',
  promise:
    'A coding agent that asks its model many things at once goes over its budget by one of them at most.',
  mutant: 'agents-ask-at-once',
  async run(stage) {
    const money = { prices: { input: 10, output: 10 }, budgetUsd: 0.5 }
    const answers = { usage: { prompt_tokens: 10_000, completion_tokens: 20_000 }, afterMs: 1_000 }
    const { paths } = await workOfAgent(stage, [asksLong('at once')], { money, answers })
    const asked = paths.filter((path) => path.includes('aside')).length
    return {
      open: asked > 2,
      control: asked > 0,
      saw: `${asked} requests of 30 cents each for half a dollar`,
    }
  },
}
