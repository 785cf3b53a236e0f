/** Owns what a tool may do with chats: it sees who was let in, and what it sends is posted in the transaction of its call. */
import { type ChatServices, CountersignError } from '@countersign/contract'
import type { RecordTransaction } from '@countersign/kernel'
import type { ChannelKinds } from './channel-kinds.ts'
import { channelsIn } from './channel-store.ts'
import { postLetter } from './outbox.ts'
import { pairedPeer } from './peers.ts'
import { channelDb } from './tables.ts'

/** After that it says nothing any more to whoever reads it. */
const lastsMs = 24 * 60 * 60_000

export function createChatServices(
  uuid: () => string,
  kinds: Pick<ChannelKinds, 'find'>,
): (tx: RecordTransaction) => ChatServices {
  return (tx) => ({
    async people() {
      const rows = await channelDb(tx.db)
        .selectFrom('channel_peers')
        .select(['channel', 'peer', 'name', 'role', 'chat'])
        .where('state', '=', 'paired')
        .orderBy('channel')
        .orderBy('name')
        .orderBy('peer')
        .execute()
      return rows.flatMap(({ role, ...person }) => (role === null ? [] : [{ ...person, role }]))
    },
    async send({ channel: name, peer, chat }, text) {
      // Whoever puts them out now waits for the end of this, and finds the letter.
      const now = await pairedPeer(tx, name, peer, true)
      if (typeof now !== 'object' || now.chat !== chat)
        throw new CountersignError('conflict', `${peer} of ${name} was put out meanwhile.`)
      const channel = (await channelsIn(tx)).find((each) => each.name === name)
      const manifest = channel && kinds.find(channel.kind)
      const key = `sent/${uuid()}`
      const letter = { key, channel: name, chat, kind: 'message', text, format: 'markdown', lastsMs } as const
      const id = manifest ? await postLetter(tx, letter, manifest, uuid) : null
      if (id === null)
        throw new CountersignError('not_found', `There is no channel ${name}.`, {
          next: 'See them with `countersign channel list`.',
        })
      // Whoever leads the channels looks for it, which may be another process.
      tx.emit({ type: 'channels.changed' })
      return id
    },
  })
}
