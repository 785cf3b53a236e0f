/**
 * Sends a message to somebody in a chat. What is approved is who gets it, by the id that the platform gave them, and the whole
 * text. Nobody is written to who was not let in, or was put out before it is sent.
 */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { category, chatId, findPerson, nobody } from './chat-id.ts'

const longestMessage = 20_000

export const sendChatMessage = defineTool({
  name: 'send_chat_message',
  version: '1',
  description:
    'Send a message to somebody in a chat, such as Telegram or Signal. What you answer in a conversation goes there by itself.',
  input: z.strictObject({
    to: z.string().min(3).max(600).describe('Such as telegram/12345, from list_chats'),
    text: z
      .string()
      .trim()
      .min(1)
      .max(longestMessage)
      .refine((text) => text.isWellFormed() && !text.includes('\0'), 'text that cannot be sent'),
  }),
  category,
  group: 'chats',
  tags: [
    'chat',
    'message',
    'send',
    'write',
    'tell',
    'telegram',
    'signal',
    'whatsapp',
    'matrix',
    'slack',
    'text',
  ],
  effect: 'once',
  floor: 3,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  rate: { calls: 60, seconds: 60 },
  runs: 'gateway',
  describe: ({ to }) => `Send a message to ${to}`,
  preview: ({ to, text }) => ({ kind: 'text', title: 'The message', text: `To: ${to}\n\n${text}` }),
  async effects({ to, text }, context) {
    const person = await findPerson(to, context)
    if (!person) return { kind: 'invalid', reason: nobody(to) }
    const { channel, chat, peer, name } = person
    return {
      kind: 'found',
      resources: [{ type: 'peer', channel, account: chat, peer }],
      effects: [
        {
          verb: 'send',
          object: `${chatId(person)}, who goes by ${JSON.stringify(name)}`,
          scope: 'boundary',
          reversible: false,
          outward: true,
          leaves: [`a message of ${sizeOf(Buffer.byteLength(text))}`],
        },
      ],
    }
  },
  async run({ to, text }, context) {
    const person = await findPerson(to, context)
    if (!person) return failed(nobody(to))
    const delivery = await context.assistant.chats.send(person, text)
    return succeeded(
      `It goes out to ${to} as ${delivery}. Whether it arrived stands in the deliveries of ${person.channel}.`,
      `Sent a message to ${to}`,
    )
  },
})
