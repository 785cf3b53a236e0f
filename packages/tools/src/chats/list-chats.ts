/** Lists the people who were let in in a channel. What they call themselves are words of theirs. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { listing } from '../records/effects.ts'
import { counted } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'
import { category, chatId } from './chat-id.ts'

export const listChats = defineTool({
  name: 'list_chats',
  version: '1',
  description:
    'List the people that can be written to in a chat (Telegram, Signal, Matrix and the like), with the id that send_chat_message takes.',
  input: z.strictObject({
    channel: z.string().max(64).exactOptional().describe('Only of this channel'),
    limit: z.int().min(1).default(50),
  }),
  category,
  group: 'chats',
  tags: ['chat', 'message', 'people', 'contact', 'telegram', 'signal', 'whatsapp', 'matrix', 'slack', 'who'],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'untrusted', confidentiality: 'private', sources: ['chat'] },
  limit: { param: 'limit', max: 200, default: 50 },
  runs: 'gateway',
  describe: ({ channel }) =>
    `List the people that can be written to${channel === undefined ? '' : ` in ${channel}`}`,
  preview: (args) => fieldsCard('List chats', args),
  effects: async () => listing('chats', 'the people of your channels'),
  async run({ channel, limit }, { assistant }) {
    const people = await assistant.chats.people()
    const found = people.filter((each) => channel === undefined || each.channel === channel)
    if (found.length === 0)
      return succeeded(
        'Nobody can be written to. The operator adds channels and lets people in under Channels.',
        'Found nobody',
      )
    const lines = found
      .slice(0, limit)
      .map((person) => JSON.stringify({ to: chatId(person), name: person.name, role: person.role }))
    const shown = lines.length < found.length ? `${lines.length} of ${found.length} people:` : 'People:'
    return succeeded([shown, ...lines].join('\n'), `Found ${counted(found.length, 'person', 'people')}`)
  },
})
