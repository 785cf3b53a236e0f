/** A stranger writes e-mails under the address of somebody who was let in: nothing proves them, and they use up her hour. */
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

export const attack: Attack = {
  name: 'limit-used-up-by-forgeries',
  promise: 'What nobody is shown to have written counts for nobody.',
  mutant: 'forged-messages-count',
  async run(stage) {
    const { bench, channel } = await openChats(stage)
    await bench.letIn(channel, 'eve', 'guest', { messagesPerHour: 3 })
    const forged = { sender: { id: 'eve', name: 'eve', proven: false, bot: false } }
    for (let count = 0; count < 10; count += 1) await bench.say(channel, 'eve', 'forged', forged)
    await bench.say(channel, 'eve', 'honest')
    for (let count = 0; count < 10; count += 1) await bench.say(channel, 'eve', 'more')
    const heard = (await bench.inputs(channel)).filter(({ requester }) => requester.id === `${channel}/eve`)
    return {
      open: !heard.some(({ text }) => text === 'honest'),
      control: heard.length <= 3 && !heard.some(({ text }) => text === 'forged'),
      saw: `admitted: ${heard.map(({ text }) => text).join(', ')}`,
    }
  },
}
