/** While a server asks, its run parks, and the operator writes something else. */
import { openQuestions } from '../../../../../../packages/kernel/src/approvals/questions.ts'
import { replyToServer } from '../../../../../../packages/kernel/src/approvals/server-questions.ts'
import { openMadeStore } from '../../../../../../packages/kernel/src/testing/made-store.ts'
import { serverAsks } from '../../../../../../packages/kernel/src/testing/server-asks.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'message-answers-a-server',
  promise: 'What the operator writes in a conversation is no answer to a server.',
  mutant: 'messages-answer-servers',
  async run(stage) {
    const store = await openMadeStore()
    stage.afterwards(() => store.close())
    const call = await store.newCall(await store.newOperator())
    const asked = await serverAsks(store, call)
    const heard = await store.read(call.operator, (db) => openQuestions({ db }, call.run))
    const reply = { action: 'accept', values: { city: 'Graz' } } as const
    const by = { kind: 'operator', id: 'desk' } as const
    if (asked.id) await replyToServer(store, call.operator, asked.id, reply, by)
    const { kind } = await asked.end()
    return {
      open: heard.length > 0,
      control: kind === 'accepted',
      saw: `${heard.length} questions that words would answer; by its form ${kind}`,
    }
  },
}
