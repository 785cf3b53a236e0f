/** Somebody whom the operator trusts sends a file: it is written as if the operator had put it there. */
import { createChatFiles } from '../../../../../../packages/gateway/src/channels/chat-files.ts'
import { labelOfSender } from '../../../../../../packages/gateway/src/channels/intake.ts'
import { pairedPeer } from '../../../../../../packages/gateway/src/channels/peers.ts'
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

export const attack: Attack = {
  name: 'file-of-a-friend',
  promise:
    'A file that somebody else sends is written for them, within their limits, and is no act of the operator.',
  mutant: 'files-of-friends-are-the-operators',
  async run(stage) {
    const { bench, channel } = await openChats(stage)
    await bench.letIn(channel, 'friend', 'trusted')
    const filesOf = createChatFiles({
      kernel: bench.test.kernel,
      operator: bench.operator,
      uploads: { add: async (_sha256, offset, bytes) => offset + bytes.length },
      hear: () => Promise.resolve(undefined),
    })
    const files = [{ ref: 'f1', name: 'list.txt', bytes: 3, voice: false }]
    const writtenFor = async (from: string) => {
      const event = bench.event(from, 'Keep this.', { files })
      const peer = await bench.records.read(bench.operator, (tx) => pairedPeer(tx, channel, from))
      if (typeof peer !== 'object') throw new Error(`${from} was not let in`)
      const label = labelOfSender(bench.channel(channel), peer, event)
      const before = bench.test.permits.length
      await filesOf(event, peer, label, async () => new Uint8Array([1, 2, 3]))
      return bench.test.permits[before]?.subject.requester
    }
    const [theirs, own] = [await writtenFor('friend'), await writtenFor('op')]
    return {
      open: theirs?.kind === 'operator',
      control: theirs !== undefined && own?.kind === 'operator',
      saw: `the friend’s for ${theirs?.kind} ${theirs?.id}, the operator’s for ${own?.kind}`,
    }
  },
}
