/** A coding agent asks its model for long answers in a form that does not tell what they cost. */
import type { Attack } from '../attack.ts'
import { asksLong, workOfAgent } from '../coding-agent.ts'

export const attack: Attack = {
  name: 'agent-hides-its-cost',
  promise: 'A coding agent is stopped once its budget is spent, whether its model tells the cost or not.',
  mutant: 'untold-answers-are-free',
  async run(stage) {
    const money = { prices: { input: 10, output: 10 }, budgetUsd: 0.5 }
    const { paths } = await workOfAgent(stage, [asksLong('one after the other')], { money })
    const asked = paths.filter((path) => path.includes('aside')).length
    return {
      open: asked > 1,
      control: asked > 0,
      saw: `${asked} requests of a dollar each for half a dollar`,
    }
  },
}
