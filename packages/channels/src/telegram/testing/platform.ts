/** Owns the people of Telegram in the tests: what they say reaches the bot as the Bot API tells it. */
import type { Person, SaidOptions, Shown, TestChat, TestPlatform } from '../../testing/platform.ts'
import { type BotApiServer, type StoredMessage, startBotApiServer } from './bot-api-server.ts'

export const testToken = '7000000001:AAtestTOKENtestTOKENtestTOKENtest-_1'
export const testBot = { id: 7_000_000_001, first_name: 'Countersign', username: 'countersign_test_bot' }

export interface TelegramPlatform extends TestPlatform {
  readonly server: BotApiServer
}

const ana = { id: '1001', name: 'Ana' }
const ben = { id: '1002', name: 'Ben' }
const bot = { id: '1003', name: 'Another bot' }
const usernames = new Map([
  ['ana_test', ana.id],
  ['ben_test', ben.id],
])

const chats = {
  ana: { id: ana.id, kind: 'private' },
  ben: { id: ben.id, kind: 'private' },
  group: { id: '-1002003004005', kind: 'group' },
} as const

const thread = '77'

export async function openTelegramPlatform(): Promise<TelegramPlatform> {
  const server = await startBotApiServer({ token: testToken, me: testBot })
  for (const { id } of Object.values(chats)) server.chats.add(id)
  /** By its id here. */
  const said = new Map<string, Readonly<Record<string, unknown>>>()

  function write(
    message: Readonly<Record<string, unknown>> & { readonly message_id: number },
    chat: TestChat,
  ): string {
    const id = `${chat.id}/${message.message_id}`
    said.set(id, message)
    server.tell({ message })
    return id
  }

  function answeredBy(id: string | undefined): Readonly<Record<string, unknown>> {
    if (id === undefined) return {}
    const ours = server.messages.find((one) => `${one.chat}/${one.id}` === id)
    const answered = ours ? { message_id: ours.id, from: { ...testBot, is_bot: true } } : said.get(id)
    return answered ? { reply_to_message: { ...answered, reply_to_message: undefined } } : {}
  }

  return {
    server,
    settings: { apiRoot: server.url },
    secrets: { token: testToken },
    people: { ana, ben, bot },
    chats,
    thread,
    nowhere: '999000999',
    joins(number) {
      const id = String(20_000 + number)
      server.chats.add(id)
      return { who: { id, name: `Person ${number}` }, chat: { id, kind: 'private' } }
    },
    async says(who, chat, text, options = {}) {
      const message = {
        message_id: server.nextMessage(),
        from: userOf(who),
        chat: chatView(chat, who),
        date: Math.floor(Date.now() / 1_000),
        ...writtenAs(text, options),
        ...filesOf(server, options),
        ...answeredBy(options.answers),
        ...(options.forwarded ? { forward_origin: { type: 'user', date: 1, sender_user: userOf(ben) } } : {}),
        ...(options.thread === undefined
          ? {}
          : { message_thread_id: Number(options.thread), is_topic_message: true }),
      }
      return write(message, chat)
    },
    async edits(who, _chat, id, text) {
      const before = said.get(id)
      if (!before) throw new Error('There is no such message.')
      const edited = { ...before, from: userOf(who), text, edit_date: Math.floor(Date.now() / 1_000) }
      server.tell({ edited_message: edited })
    },
    async presses(who, chat, id, data) {
      const message = server.messages.find((one) => `${one.chat}/${one.id}` === id)
      if (!message?.buttons.some((button) => button.data === data))
        throw new Error('There is no such button.')
      const query = String(4_000_000_000_000 + server.nextMessage())
      server.pressed.set(query, '')
      server.tell({
        callback_query: {
          id: query,
          from: userOf(who),
          chat_instance: '1',
          data,
          message: { message_id: message.id, chat: chatView(chat, who), date: 1_700_000_000, from: testBot },
        },
      })
    },
    async repeats() {
      // Telegram tells the same message under another number of an update when one of its servers was restarted.
      for (const message of said.values()) server.tell({ message })
    },
    shown: (chat) => server.messages.filter((one) => one.chat === chat.id).map(shownOf),
    fail: server.fail,
    disconnect: async () => server.disconnect(),
    away: server.away,
    back: server.back,
    close: server.away,
  }
}

function userOf({ id, name }: Person) {
  const username = [...usernames].find(([, owner]) => owner === id)?.[0]
  return {
    id: Number(id),
    is_bot: id === bot.id,
    first_name: name,
    language_code: 'en',
    ...(username === undefined ? {} : { username }),
  }
}

function chatView({ id, kind }: TestChat, who: Person) {
  return kind === 'private'
    ? { id: Number(id), type: 'private', first_name: who.name }
    : { id: Number(id), type: 'supergroup', title: 'Family', is_forum: true }
}

/** A mention is marked by the server, and only where it stands by itself. */
function writtenAs(text: string, { addressed, file }: SaidOptions): Readonly<Record<string, unknown>> {
  const whole = addressed ? `@${testBot.username} ${text}` : text
  const entities = [...whole.matchAll(/(?<!\w)@(\w+)/g)].map(({ index, 0: words }) => ({
    type: 'mention',
    offset: index,
    length: words.length,
  }))
  if (whole === '') return {}
  return file
    ? { caption: whole, caption_entities: entities }
    : { text: whole, ...(entities.length > 0 ? { entities } : {}) }
}

function filesOf(server: BotApiServer, { file }: SaidOptions): Readonly<Record<string, unknown>> {
  if (!file) return {}
  const number = server.nextMessage()
  const id = `BQACAgIAAxkBAAI${number}`
  const kind = file.voice ? 'voice' : 'documents'
  server.files.set(id, { path: `${kind}/file_${number}.bin`, bytes: file.bytes })
  const view = { file_id: id, file_unique_id: `u${number}`, file_size: file.bytes.byteLength }
  if (file.voice) return { voice: { ...view, duration: 3, mime_type: 'audio/ogg' } }
  return { document: { ...view, file_name: file.name } }
}

function shownOf(message: StoredMessage): Shown {
  const { text, entities } = message
  const covered = (at: number) =>
    entities.some(({ type, offset, length }) => /code|pre/.test(type) && at >= offset && at < offset + length)
  const mentions = [...text.matchAll(/(?<!\w)@(\w+)/g)].filter(({ index }) => !covered(index))
  return {
    id: `${message.chat}/${message.id}`,
    text,
    edited: message.edited,
    thread: message.thread,
    buttons: message.buttons,
    file: message.file,
    pings: mentions.map(([, name = '']) => name).filter((name) => usernames.has(name.toLowerCase())),
    links: [
      ...entities.flatMap(({ url }) => (url === undefined ? [] : [url])),
      ...[...text.matchAll(/https?:\/\/[^\s<>|()[\]"]+/g)].map(([link]) => link),
    ],
  }
}
