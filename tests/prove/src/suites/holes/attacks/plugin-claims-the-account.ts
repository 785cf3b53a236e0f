/** Another plugin is let in by the name of one with a channel, and says that it connects as the account of the former. */
import { bindAccount } from '../../../../../../packages/gateway/src/channels/bound-account.ts'
import type { Attack } from '../attack.ts'
import { openChannelOfPlugin } from '../channel-of-a-plugin.ts'
import { openChats } from '../chats.ts'

const first = { addedAt: '2026-11-19T10:00:00.000Z', launchHash: 'a'.repeat(64) }

export const attack: Attack = {
  name: 'plugin-claims-the-account',
  promise:
    'Nobody whom the channel of one plugin let in counts for another plugin, whatever account it names.',
  mutant: 'plugins-share-their-accounts',
  async run(stage) {
    const chats = await openChats(stage)
    const { bench } = chats
    const channel = await openChannelOfPlugin(chats, first)
    const connects = async () => {
      const kept = await channel.kept()
      await bench.records.change(bench.operator, (tx) =>
        bindAccount(tx, kept, {}, { id: 'bot', name: 'bot' }, () => crypto.randomUUID()),
      )
      return (await bench.peer(kept.name, 'op'))?.role ?? 'nobody'
    }
    await connects()
    await bench.letIn((await channel.kept()).name, 'op', 'operator')
    const before = await connects()
    channel.becomes({ ...first, launchHash: 'b'.repeat(64) })
    const updated = await connects()
    channel.becomes({ addedAt: '2026-11-19T11:00:00.000Z', launchHash: 'c'.repeat(64) })
    await channel.resumed()
    const after = await connects()
    return {
      open: after !== 'nobody',
      control: before === 'operator' && updated === 'operator',
      saw: `${before} at first, ${updated} after an update, ${after} with another plugin`,
    }
  },
}
