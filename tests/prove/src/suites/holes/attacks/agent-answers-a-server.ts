/** An agent, and not the operator, answers what a server asks. */
import { replyToServer } from '../../../../../../packages/kernel/src/approvals/server-questions.ts'
import { openMadeStore } from '../../../../../../packages/kernel/src/testing/made-store.ts'
import { serverAsks } from '../../../../../../packages/kernel/src/testing/server-asks.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'agent-answers-a-server',
  promise: 'Nobody but the operator answers what a server asks.',
  mutant: 'agents-answer-servers',
  async run(stage) {
    const store = await openMadeStore()
    stage.afterwards(() => store.close())
    const operator = await store.newOperator()
    const answered = async (kind: 'operator' | 'agent') => {
      const asked = await serverAsks(store, await store.newCall(operator))
      const reply = { action: 'accept', values: { city: 'Graz' } } as const
      const refused = asked.id
        ? await replyToServer(store, operator, asked.id, reply, { kind, id: 'x' }).then(
            () => undefined,
            (problem: unknown) => String(problem),
          )
        : 'nothing was asked'
      return { told: (await asked.end()).kind, refused }
    }
    const [agent, own] = [await answered('agent'), await answered('operator')]
    return {
      open: agent.told === 'accepted',
      control: own.told === 'accepted',
      saw: `by an agent ${agent.told} (${agent.refused ?? ''}), by the operator ${own.told}`,
    }
  },
}
