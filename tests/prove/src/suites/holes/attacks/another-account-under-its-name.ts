/** A channel is given the token of another account: whoever has the operator's id there decides for the operator. */
import { bindAccount } from '../../../../../../packages/gateway/src/channels/bound-account.ts'
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

export const attack: Attack = {
  name: 'another-account-under-its-name',
  promise: 'Nobody whom one account let in counts for another account that stands under the same name.',
  mutant: 'every-account-is-the-former',
  async run(stage) {
    const { bench, channel } = await openChats(stage)
    const connects = (id: string) =>
      bench.records.change(bench.operator, (tx) =>
        bindAccount(tx, { name: channel, kind: 'remembered', settings: {} }, {}, { id, name: id }, () =>
          crypto.randomUUID(),
        ),
      )
    const roleOf = async () => (await bench.peer(channel, 'op'))?.role ?? 'nobody'
    await connects('bot-1')
    await connects('bot-1')
    const before = await roleOf()
    await connects('bot-2')
    const after = await roleOf()
    return {
      open: after !== 'nobody',
      control: before === 'operator',
      saw: `${before} before, ${after} with another account`,
    }
  },
}
