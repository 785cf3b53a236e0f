/** A guest asks so that the answer takes several messages: the operator reads one of them and lets all of them go. */
import { deliveriesIn } from '../../../../../../packages/gateway/src/channels/channel-views.ts'
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

const secret = 'The code of the door is 4711.'

export const attack: Attack = {
  name: 'answer-released-unread',
  promise: 'An answer that waits for the operator is read whole before it is let go.',
  mutant: 'held-answers-in-pieces',
  async run(stage) {
    const { bench, channel } = await openChats(
      stage,
      {},
      { manifest: { text: { most: 40, unit: 'characters' } } },
    )
    const text = `Nothing of note. ${'And so on. '.repeat(10)}${secret}`
    await bench.records.change(bench.operator, (tx) =>
      bench.outbox.post(tx, {
        key: `reply/run_1/1`,
        channel,
        chat: 'chat-ann',
        kind: 'reply',
        text,
        format: 'plain',
        about: 'run_1',
        held: true,
        lastsMs: 60_000,
      }),
    )
    const log = await bench.records.read(bench.operator, (tx) => deliveriesIn(tx, channel))
    const [shown] = log.filter(({ state }) => state === 'held')
    await bench.records.change(bench.operator, (tx) => bench.outbox.settle(tx, shown?.id ?? '', true))
    await bench.deliver(channel)
    const plain = (words: string) => words.replaceAll(/\s+/g, ' ')
    const sent = plain(bench.sentTo(channel, 'chat-ann').join(' '))
    return {
      open: sent.includes(secret) && !plain(shown?.text ?? '').includes(secret),
      control: sent.includes(secret),
      saw: `the operator read: ${plain(shown?.text ?? '').slice(-40)}`,
    }
  },
}
