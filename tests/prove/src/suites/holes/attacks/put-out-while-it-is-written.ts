/** The operator approved a message to somebody in a chat. As it is being sent they are blocked, and nothing waits yet that could be taken back. */
import { randomUUIDv7 } from 'node:crypto'
import { createChannelStore } from '../../../../../../packages/gateway/src/channels/channel-store.ts'
import { createChatServices } from '../../../../../../packages/gateway/src/channels/chat-services.ts'
import { changePeer } from '../../../../../../packages/gateway/src/channels/peers.ts'
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

export const attack: Attack = {
  name: 'put-out-while-it-is-written',
  promise: 'Nobody who was put out is written to, also by a call that looked them up just before.',
  mutant: 'letters-outrun-their-end',
  async run(stage) {
    const { bench, channel } = await openChats(stage)
    const { records, operator } = bench
    const kinds = { all: () => [], find: () => bench.channel(channel).manifest, broughtAt: () => undefined }
    const none = () => Promise.reject(new Error('it has no secrets'))
    const secrets = { list: () => Promise.resolve([]), store: none, remove: none }
    const store = createChannelStore({
      records,
      secrets,
      secretValue: () => Promise.resolve(undefined),
      kinds,
    })
    const actor = { kind: 'operator', id: 'desk' } as const
    const kept = { kind: 'remembered', settings: {}, secrets: {}, choices: {} }
    await store.store({ operator, actor }, channel, kept)

    const write = (text: string, meanwhile: () => Promise<unknown>) =>
      records.change(operator, async (tx) => {
        const chats = createChatServices(randomUUIDv7, kinds)(tx)
        const ann = (await chats.people()).find((each) => each.channel === channel && each.peer === 'ann')
        if (!ann) throw new Error('she was not let in')
        await meanwhile()
        await chats.send(ann, text)
      })
    await write('before', () => Promise.resolve())
    await bench.deliver(channel)
    await write('meanwhile', () =>
      records.change(operator, (tx) =>
        changePeer(tx, { channel, peer: 'ann', change: { kind: 'block' } }, actor),
      ),
    ).catch(() => undefined)
    await bench.deliver(channel)
    const got = bench.sentTo(channel, 'chat-ann')
    return {
      open: got.includes('meanwhile'),
      control: got.includes('before'),
      saw: `she got: ${got.join(', ')}`,
    }
  },
}
