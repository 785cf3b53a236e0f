/** Somebody who was let in sends a file that takes its time. Meanwhile they are blocked, and nothing of theirs is found to stop. */
import { changePeer } from '../../../../../../packages/gateway/src/channels/peers.ts'
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

export const attack: Attack = {
  name: 'put-out-while-files-come',
  promise: 'No model hears of somebody who was put out, also of what they wrote just before.',
  mutant: 'put-out-in-a-race',
  async run(stage) {
    let arrives = (): Promise<void> => Promise.resolve()
    const { bench, channel } = await openChats(stage, {
      async filesOf() {
        await arrives()
        return { attachments: [], spoken: [] }
      },
    })
    await bench.letIn(channel, 'bob', 'trusted')
    await bench.say(channel, 'bob', 'before')
    arrives = () =>
      bench.records
        .change(bench.operator, (tx) =>
          changePeer(
            tx,
            { channel, peer: 'bob', change: { kind: 'block' } },
            { kind: 'operator', id: 'desk' },
          ),
        )
        .then(() => undefined)
    await bench.say(channel, 'bob', 'meanwhile')
    const heard = (await bench.inputs(channel)).map(({ text }) => text)
    return {
      open: heard.includes('meanwhile'),
      control: heard.includes('before') && (await bench.inbox(channel)).at(-1)?.state !== 'waiting',
      saw: `admitted: ${heard.join(', ')}`,
    }
  },
}
