/** Somebody who was let in sends a file that their platform never hands out. Everybody else in the channel waits for it, the operator too. */

import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

const none = { attachments: [], spoken: [] }

export const attack: Attack = {
  name: 'file-that-never-comes',
  promise: 'No chat waits for another.',
  mutant: 'chats-wait-for-each-other',
  async run(stage) {
    const never = Promise.withResolvers<void>()
    let asked = 0
    const { bench, channel } = await openChats(stage, {
      async filesOf(_channel, { text }) {
        if (text !== 'slow') return none
        asked += 1
        await never.promise
        return none
      },
    })
    await bench.letIn(channel, 'bob', 'trusted')
    const slow = bench.say(channel, 'bob', 'slow')
    const isAsked = await until(() => asked > 0, 10_000)
    const answered = bench.say(channel, 'op', '/status').then(() => bench.deliver(channel))
    const isAnswered = () => bench.sentTo(channel, 'chat-op').includes('Everything is well.')
    await until(isAnswered, 3_000)
    const isOpen = !isAnswered()
    never.resolve()
    await slow
    await answered
    const came = async () => (await bench.inputs(channel)).some(({ text }) => text === 'slow')
    return {
      open: isOpen,
      control: isAsked && (await until(came, 10_000)),
      saw: isOpen ? 'the operator waited' : 'the operator was answered meanwhile',
    }
  },
}
