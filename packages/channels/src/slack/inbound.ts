/** Owns how what Slack tells becomes an event: which of it is for us, who said it, and what they said themselves. */
import { z } from 'zod'
import { cutText } from '../frame/clean-text.ts'
import type { InboundEvent, InboundFile, Sender } from '../frame/events.ts'
import type { SlackDirectory } from './directory.ts'
import type { SlackSelf } from './identity.ts'
import { mentionedIn, plainText } from './plain-text.ts'

const Text = z.string().nullish()

const File = z.looseObject({
  id: z.string().min(1).max(100),
  name: Text,
  title: Text,
  size: z.int().min(0).nullish(),
  mode: Text,
  subtype: Text,
  media_display_type: Text,
})

const Message = z.looseObject({
  type: z.string().optional(),
  subtype: Text,
  channel: z.string().optional(),
  channel_type: Text,
  user: Text,
  username: Text,
  bot_id: Text,
  team: Text,
  user_team: Text,
  text: Text,
  ts: z.string().max(40).optional(),
  thread_ts: Text,
  parent_user_id: Text,
  event_ts: Text,
  deleted_ts: Text,
  edited: z.looseObject({ ts: Text }).nullish(),
  files: z.array(z.unknown()).nullish(),
  attachments: z.array(z.unknown()).nullish(),
})
export type SlackMessage = z.infer<typeof Message>

const Change = z.looseObject({ message: Message.optional(), previous_message: Message.optional() })
const Share = z.looseObject({ is_share: z.boolean().optional(), text: Text, fallback: Text })

const Callback = z.looseObject({ team_id: z.string(), event: Message })

/** Whose turn it is, under which id, and how it is read when its turn comes. */
export interface SlackReading {
  readonly chat: string
  readonly id: string
  /** It stands in the history of its chat. */
  readonly isMessage: boolean
  readonly compose: () => Promise<InboundEvent | undefined>
}

const longestText = 100_000
export const longestName = 300
const mostFiles = 20
/** They tell of a message as a whole; the other kinds tell what happened in a channel. */
const messageKinds = new Set([
  'file_share',
  'thread_broadcast',
  'me_message',
  'bot_message',
  'reply_broadcast',
])

export interface SlackInboundParts {
  readonly self: SlackSelf
  readonly directory: SlackDirectory
}

/** Undefined where it is nothing for us. */
export function readEventsApi(payload: unknown, parts: SlackInboundParts): SlackReading | undefined {
  const read = Callback.safeParse(payload)
  if (!read.success) return undefined
  const { team_id: team, event } = read.data
  if (event.type !== 'message' && event.type !== 'app_mention') return undefined
  const chat = event.channel
  if (!chat) return undefined
  switch (event.subtype) {
    case 'message_changed':
      return readChange(event, chat, team, parts)
    case 'message_deleted':
      return event.deleted_ts ? readDeletion(event, chat, event.deleted_ts, parts) : undefined
    default:
      return readMessage(event, chat, team, parts)
  }
}

export function readMessage(
  event: SlackMessage,
  chat: string,
  team: string,
  parts: SlackInboundParts,
): SlackReading | undefined {
  const { self, directory } = parts
  if (event.subtype && !messageKinds.has(event.subtype)) return undefined
  const { ts } = event
  if (!ts || isOurs(event, self)) return undefined
  const at = timeOf(ts)
  const writer = event.user || event.bot_id
  if (!at || !writer) return undefined
  const id = messageId(chat, ts)
  return {
    chat,
    id,
    isMessage: true,
    async compose() {
      const own = event.text ?? ''
      const shared = own === '' ? sharedIn(event) : undefined
      const sender = await senderOf(event, writer, team, directory)
      return {
        type: 'message',
        id,
        chat: await chatOf(chat, sender.name, directory),
        at,
        sender,
        text: await textOf(shared ?? own, parts),
        thread: event.thread_ts ?? null,
        addressed:
          isPrivate(chat) ||
          event.type === 'app_mention' ||
          own.includes(`<@${self.user}>`) ||
          event.parent_user_id === self.user,
        forwarded: shared !== undefined,
        files: filesIn(event),
      }
    },
  }
}

function readChange(
  event: SlackMessage,
  chat: string,
  team: string,
  parts: SlackInboundParts,
): SlackReading | undefined {
  const { message, previous_message: before } = Change.safeParse(event).data ?? {}
  if (!message?.ts || isOurs(message, parts.self)) return undefined
  // What is left of a message that had answers.
  if (message.subtype === 'tombstone') return readDeletion(event, chat, message.ts, parts)
  const writer = message.user || message.bot_id
  const when = message.edited?.ts
  const at = when ? timeOf(when) : undefined
  // Slack also changes a message to show what its links lead to.
  if (!writer || !at || before?.text === message.text) return undefined
  const { ts } = message
  const id = `${messageId(chat, ts)}:edited:${when}`
  return {
    chat,
    id,
    isMessage: false,
    async compose() {
      const sender = await senderOf(message, writer, team, parts.directory)
      return {
        type: 'edited',
        id,
        chat: await chatOf(chat, sender.name, parts.directory),
        at,
        sender,
        message: messageId(chat, ts),
        text: await textOf(message.text ?? '', parts),
      }
    },
  }
}

function readDeletion(
  event: SlackMessage,
  chat: string,
  ts: string,
  { self, directory }: SlackInboundParts,
): SlackReading | undefined {
  const { previous_message: before } = Change.safeParse(event).data ?? {}
  if (before && isOurs(before, self)) return undefined
  const at = timeOf(event.event_ts ?? event.ts ?? '') ?? timeOf(ts)
  if (!at) return undefined
  const id = `${messageId(chat, ts)}:deleted`
  return {
    chat,
    id,
    isMessage: false,
    async compose() {
      const name = before?.user ? await directory.person(before.user) : ''
      return {
        type: 'deleted',
        id,
        chat: await chatOf(chat, name, directory),
        at,
        message: messageId(chat, ts),
      }
    },
  }
}

export const messageId = (chat: string, ts: string): string => `${chat}:${ts}`

/** The part that Slack knows within the channel. */
export const tsOf = (message: string): string => message.slice(message.indexOf(':') + 1)

/** Direct messages have ids of their own kind. */
const isPrivate = (chat: string): boolean => chat.startsWith('D')

/** Users are only told apart within their workspace. */
export const senderId = (team: string, user: string): string => `${team}:${user}`

const isOurs = (event: SlackMessage, self: SlackSelf): boolean =>
  event.user === self.user || (event.bot_id != null && event.bot_id === self.bot)

export function timeOf(ts: string): string | undefined {
  const seconds = /^\d{1,11}(\.\d{1,9})?$/.test(ts) ? Number(ts) : Number.NaN
  return Number.isFinite(seconds) ? new Date(seconds * 1_000).toISOString() : undefined
}

async function senderOf(
  event: SlackMessage,
  writer: string,
  team: string,
  directory: SlackDirectory,
): Promise<Sender> {
  const bot = event.bot_id != null || event.subtype === 'bot_message'
  const name =
    bot && event.username ? event.username : event.user ? await directory.person(event.user) : writer
  return {
    id: senderId(event.user_team ?? event.team ?? team, writer),
    name: cutText(name, longestName),
    proven: true,
    bot,
  }
}

export async function chatOf(chat: string, person: string, directory: SlackDirectory) {
  return isPrivate(chat)
    ? { id: chat, kind: 'private' as const, title: cutText(person, longestName) }
    : { id: chat, kind: 'group' as const, title: cutText(await directory.channel(chat), longestName) }
}

export async function textOf(text: string, { self, directory }: SlackInboundParts): Promise<string> {
  const short = text.slice(0, longestText)
  const people = await directory.people(mentionedIn(short).filter((id) => id !== self.user))
  return cutText(plainText(short, { self: self.user, people }), longestText)
}

function sharedIn(event: SlackMessage): string | undefined {
  for (const one of event.attachments ?? []) {
    const share = Share.safeParse(one).data
    if (share?.is_share) return share.text || share.fallback || ''
  }
  return undefined
}

function filesIn(event: SlackMessage): InboundFile[] {
  return (event.files ?? []).slice(0, mostFiles).flatMap((one) => {
    const file = File.safeParse(one).data
    if (!file || file.mode === 'tombstone' || file.mode === 'hidden_by_limit') return []
    return {
      ref: file.id,
      name: cutText(file.name || file.title || '', longestName),
      bytes: file.size ?? null,
      voice: file.subtype === 'slack_audio' || file.media_display_type === 'audio',
    }
  })
}
