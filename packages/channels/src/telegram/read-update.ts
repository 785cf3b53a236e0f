/** Owns how what Telegram tells becomes an event: who wrote, whether they speak to us, and what they wrote themselves. Pure. */
import type { Chat, InboundEvent, InboundFile, InboundMessage, Sender } from '../frame/events.ts'
import { messageId } from './ids.ts'
import type {
  CallbackQuery,
  InboundEntity,
  TelegramChat,
  TelegramFile,
  TelegramMessage,
  Update,
  User,
} from './update.ts'

const longestName = 300
const longestText = 100_000

/** Undefined where it says nothing to us. */
export function readUpdate(update: Update, me: User): InboundEvent | undefined {
  const message = update.message ?? update.channel_post
  if (message) return readMessage(message, me)
  const edited = update.edited_message ?? update.edited_channel_post
  if (edited) return readEdit(edited, update.update_id, me)
  return update.callback_query && readPress(update.callback_query)
}

function readMessage(message: TelegramMessage, me: User): InboundMessage | undefined {
  const sender = senderOf(message)
  const files = filesOf(message)
  const text = textOf(message, me)
  if (!sender || sender.id === String(me.id) || (text === '' && files.length === 0)) return undefined
  return {
    type: 'message',
    id: messageId(message.chat.id, message.message_id),
    chat: chatOf(message.chat, message.from),
    at: timeOf(message.date),
    sender,
    text,
    thread: message.is_topic_message ? String(message.message_thread_id) : null,
    addressed: isAddressed(message, me),
    // What is sent by way of another bot, that bot wrote.
    forwarded: message.forward_origin !== undefined || message.via_bot !== undefined,
    files,
  }
}

function readEdit(message: TelegramMessage, update: number, me: User): InboundEvent | undefined {
  const sender = senderOf(message)
  if (!sender || sender.id === String(me.id)) return undefined
  const id = messageId(message.chat.id, message.message_id)
  return {
    type: 'edited',
    // Two changes may come within one second.
    id: `${id}/edited/${update}`,
    chat: chatOf(message.chat, message.from),
    at: timeOf(message.edit_date ?? message.date),
    sender,
    message: id,
    text: textOf(message, me),
  }
}

function readPress({ id, from, message, data }: CallbackQuery): InboundEvent | undefined {
  if (!message || data === undefined) return undefined
  return {
    type: 'pressed',
    id,
    chat: chatOf(message.chat, from),
    at: timeOf(message.date),
    sender: personOf(from),
    message: messageId(message.chat.id, message.message_id),
    data,
  }
}

/** A chat that speaks for itself hides which person it was. */
function senderOf({ from, sender_chat: speaker }: TelegramMessage): Sender | undefined {
  if (speaker) return { id: `chat:${speaker.id}`, name: cut(speaker.title ?? ''), proven: false, bot: false }
  return from && personOf(from)
}

const personOf = (user: User): Sender => ({
  id: String(user.id),
  name: nameOf(user),
  proven: true,
  bot: user.is_bot,
})

const nameOf = ({ first_name: first, last_name: last }: User): string =>
  cut(last === undefined ? first : `${first} ${last}`)

const chatOf = ({ id, type, title }: TelegramChat, from: User | undefined): Chat => ({
  id: String(id),
  kind: type === 'private' ? 'private' : 'group',
  title: type === 'private' && from ? nameOf(from) : cut(title ?? ''),
})

const cut = (name: string): string => name.slice(0, longestName).toWellFormed()

const timeOf = (seconds: number): string => new Date(Math.min(seconds, 253_402_300_799) * 1_000).toISOString()

function isAddressed(message: TelegramMessage, me: User): boolean {
  const { reply_to_message: answered } = message
  // Everything in a topic is an answer to the line that opened it.
  const isAnswer =
    answered?.from?.id === me.id && !answered.sender_chat && answered.forum_topic_created === undefined
  return isAnswer || mentionsIn(message, me).length > 0
}

interface Mention {
  readonly from: number
  readonly to: number
  readonly isCommand: boolean
}

function mentionsIn(message: TelegramMessage, me: User): Mention[] {
  const written = writtenIn(message)
  const name = `@${me.username ?? ''}`.toLowerCase()
  return written.entities.flatMap(({ type, offset, length, user }) => {
    const words = written.text.slice(offset, offset + length).toLowerCase()
    const isUs =
      (type === 'mention' && words === name) ||
      (type === 'text_mention' && user?.id === me.id) ||
      (type === 'bot_command' && words.endsWith(name) && name !== '@')
    if (!isUs) return []
    const isCommand = type === 'bot_command'
    const to = offset + length
    return [{ from: isCommand ? to - name.length : offset, to, isCommand }]
  })
}

function writtenIn(message: TelegramMessage): { text: string; entities: readonly InboundEntity[] } {
  return message.text === undefined
    ? { text: message.caption ?? '', entities: message.caption_entities ?? [] }
    : { text: message.text, entities: message.entities ?? [] }
}

/** Without our name where it stands at the beginning, at the end, or behind a command. */
function textOf(message: TelegramMessage, me: User): string {
  const { text } = writtenIn(message)
  const written = text === '' ? (message.sticker?.emoji ?? '') : text
  let rest = written
  for (const { from, to, isCommand } of mentionsIn(message, me).toReversed()) {
    const before = rest.slice(0, from)
    const after = rest.slice(to)
    if (isCommand) rest = before + after
    else if (before.trim() === '') rest = after.replace(/^[\s,:]+/, '')
    else if (after.trim() === '') rest = before.trimEnd()
  }
  return rest.slice(0, longestText).toWellFormed()
}

function filesOf(message: TelegramMessage): InboundFile[] {
  const { document, audio, voice, video, video_note: note, photo } = message
  // The same picture in several sizes; the largest comes last.
  const picture = photo?.at(-1)
  return [
    fileOf(document, 'document'),
    fileOf(audio, 'audio.mp3'),
    fileOf(voice, 'voice.ogg', true),
    fileOf(video, 'video.mp4'),
    fileOf(note, 'video.mp4'),
    fileOf(picture, 'photo.jpg'),
  ].filter((file) => file !== undefined)
}

function fileOf(file: TelegramFile | undefined, otherwise: string, voice = false): InboundFile | undefined {
  if (!file) return undefined
  const name = file.file_name === undefined || file.file_name === '' ? otherwise : file.file_name
  return { ref: file.file_id, name: cut(name), bytes: file.file_size ?? null, voice }
}
