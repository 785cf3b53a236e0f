/** A stranger makes a room that anybody can read, with the operator and the assistant in it: by its count a private one. */
import type { Attack } from '../attack.ts'
import { answersOfPrivate, openChats } from '../chats.ts'

export const attack: Attack = {
  name: 'answer-in-another-private-chat',
  promise: 'The operator’s own chat is the one in which they were shown their code, and no other.',
  mutant: 'every-private-chat-is-own',
  async run(stage) {
    const chats = await openChats(stage)
    const { bench, channel } = chats
    const room = { id: 'room of a stranger', kind: 'private', title: 'Us' } as const
    await bench.say(channel, 'op', 'What is on today?')
    await bench.say(channel, 'op', 'And tomorrow?', { chat: room })
    const replies = await answersOfPrivate(chats)
    const states = (chat: string) => replies.filter((reply) => reply.chat === chat).map(({ state }) => state)
    const elsewhere = states(room.id)
    return {
      open: elsewhere.some((state) => state !== 'held'),
      control: elsewhere.length > 0 && states('chat-op').includes('waiting'),
      saw: `in the room: ${elsewhere.join(', ')}; in the own chat: ${states('chat-op').join(', ')}`,
    }
  },
}
