/** Somebody sends what breaks the handling of their message, in a chat in which others are answered too. */
import { createIntake } from '../../../../../../packages/gateway/src/channels/intake.ts'
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

const hour = 60 * 60_000
const mostTries = 20

export const attack: Attack = {
  name: 'message-that-breaks-its-handling',
  promise:
    'No message keeps its chat from being answered for ever: what cannot be handled is put aside, and shown.',
  mutant: 'poison-stays-in-front',
  async run(stage) {
    const { bench, channel } = await openChats(stage)
    const intake = createIntake({
      ...bench.intakeParts,
      filesOf: (_channel, { text }) =>
        text === 'poison'
          ? Promise.reject(new Error('broken'))
          : Promise.resolve({ attachments: [], spoken: [] }),
    })
    for (const text of ['before', 'poison', 'after']) await intake.take(channel, bench.event('ann', text))
    for (let tries = 0; tries < mostTries; tries += 1) {
      await intake.work(bench.channel(channel))
      bench.pass(hour)
    }
    const texts = (await bench.inputs(channel)).map(({ text }) => text)
    const states = (await bench.inbox(channel)).map(({ state }) => state)
    return {
      open: !texts.includes('after') || !states.includes('aside'),
      control: texts.includes('before') && !texts.includes('poison'),
      saw: `heard: ${texts.join(', ')}; ${states.slice(-3).join(', ')}`,
    }
  },
}
