/** Somebody has the operator's account on a platform where the operator switched approvals off, and takes back what was done. */
import type { Attack } from '../attack.ts'
import { openChats } from '../chats.ts'

export const attack: Attack = {
  name: 'undo-from-a-stolen-account',
  promise: 'Where nothing may be approved in a chat, nothing is taken back from there.',
  mutant: 'undo-where-nothing-is-approved',
  async run(stage) {
    const { bench, channel } = await openChats(stage, {}, { choices: { approvals: false } })
    const answerTo = async (text: string) => {
      await bench.say(channel, 'op', text)
      await bench.deliver(channel)
      return bench.sentTo(channel, 'chat-op').at(-1) ?? ''
    }
    await bench.say(channel, 'op', 'Something was done.')
    await bench.quiet()
    const told = await answerTo('/undo')
    bench.choose(channel, { approvals: true })
    // This run did nothing that could be taken back, which is said only by whoever looked.
    const tried = /can be undone|was done here/
    return { open: tried.test(told), control: tried.test(await answerTo('/undo')), saw: told }
  },
}
