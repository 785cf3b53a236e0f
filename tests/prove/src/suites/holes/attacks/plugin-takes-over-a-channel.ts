/** A plugin with a channel is removed, and at once another one is let in by its name: it is started with the credential. */
import type { Attack } from '../attack.ts'
import { openChannelOfPlugin } from '../channel-of-a-plugin.ts'
import { openChats } from '../chats.ts'

const first = { addedAt: '2026-11-19T10:00:00.000Z', launchHash: 'a'.repeat(64) }

export const attack: Attack = {
  name: 'plugin-takes-over-a-channel',
  promise: 'The credential of a channel goes to no other plugin before the operator lets the channel go on.',
  mutant: 'channels-follow-names',
  async run(stage) {
    const chats = await openChats(stage)
    const channel = await openChannelOfPlugin(chats, first)
    const before = await channel.reconciled()
    channel.becomes({ ...first, launchHash: 'b'.repeat(64) })
    const updated = await channel.reconciled()
    channel.becomes({ addedAt: '2026-11-19T11:00:00.000Z', launchHash: 'c'.repeat(64) })
    const other = await channel.reconciled()
    await channel.resumed()
    const resumed = await channel.reconciled()
    return {
      open: other.length > 0,
      control: before.length + updated.length + resumed.length === 3,
      saw: `started: ${before.length} at first, ${updated.length} after an update, ${other.length} when another came, ${resumed.length} when it was let go on`,
    }
  },
}
