/** An agent is talked into six signs in what it gives to a tool of a server, by which its call stands in no count. */
import { openIdleKernel, openOwner } from '@countersign/kernel/testing'
import { createExtensionViews } from '../../../../../../packages/views/src/extension-use.ts'
import { leaveCall } from '../../../../../../packages/views/src/testing/ended-calls.ts'
import { startTestDatabase } from '../../../../../harness/src/postgres.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'words-hide-a-call',
  promise: 'No call of a server is left out of what it was used for by words in it.',
  mutant: 'words-hide-calls',
  async run(stage) {
    const database = await startTestDatabase()
    stage.afterwards(() => database.stop())
    const clock = () => new Date('2026-11-16T10:00:00.000Z')
    const kernel = await openIdleKernel({ connection: database.connection, clock })
    stage.afterwards(() => kernel.close())
    const owner = openOwner(database.connection, clock)
    stage.afterwards(() => owner.close())
    const call = (tool: string, text: string) => ({
      tool: 'call_server_tool',
      args: { server: 'odd', tool, input: { text } },
      at: new Date('2026-11-15T10:00:00.000Z'),
    })
    await leaveCall(owner, kernel.operator, call('fine', 'plain words'))
    for (const text of ['\\u0000', '\\\\u0000', 'x\\u0000y'])
      await leaveCall(owner, kernel.operator, call('send', text))
    const { extensions } = await createExtensionViews(kernel.readOnly, clock).extensionUse(kernel.operator)
    const counted = (part: string) =>
      extensions.flatMap(({ parts }) => parts).find((each) => each.part === part)?.calls ?? 0
    return {
      open: counted('send') < 3,
      control: counted('fine') === 1,
      saw: `counted with the signs: ${counted('send')} of 3; without: ${counted('fine')} of 1`,
    }
  },
}
