/** Owns how what Discord tells becomes an event: which of it is for us, who said it, and what they said themselves. */
import { z } from 'zod'
import { cutText } from '../frame/clean-text.ts'
import type { Chat, InboundEvent, InboundFile, Sender } from '../frame/events.ts'
import { type ChannelDirectory, readChannel } from './channel-directory.ts'
import { plainText } from './plain-text.ts'

const Id = z.string().regex(/^\d{1,20}$/)
const Text = z.string().nullish()

const User = z.looseObject({ id: Id, username: Text, global_name: Text, bot: z.boolean().nullish() })
type User = z.infer<typeof User>

const Attachment = z.looseObject({
  id: Id,
  filename: Text,
  title: Text,
  size: z.int().min(0).nullish(),
  waveform: Text,
})
const Snapshot = z.looseObject({
  message: z.looseObject({ content: Text, attachments: z.array(z.unknown()).nullish() }),
})

const Message = z.looseObject({
  id: Id,
  channel_id: Id,
  guild_id: Id.nullish(),
  author: User,
  webhook_id: Text,
  content: Text,
  timestamp: z.string(),
  edited_timestamp: Text,
  type: z.int().nullish(),
  flags: z.int().nullish(),
  mentions: z.array(User).nullish(),
  attachments: z.array(z.unknown()).nullish(),
  message_reference: z.looseObject({ type: z.int().nullish() }).nullish(),
  message_snapshots: z.array(z.unknown()).nullish(),
  referenced_message: z.looseObject({ author: User }).nullish(),
})
type Message = z.infer<typeof Message>

const Deletion = z.looseObject({ id: Id, channel_id: Id, guild_id: Id.nullish() })
const Deletions = z.looseObject({ ids: z.array(Id), channel_id: Id, guild_id: Id.nullish() })

const Interaction = z.looseObject({
  id: Id,
  application_id: Id,
  type: z.literal(3),
  token: z.string().min(1).max(2_000),
  data: z.looseObject({ custom_id: z.string() }),
  guild_id: Id.nullish(),
  channel_id: Id,
  channel: z.unknown().optional(),
  message: z.looseObject({ id: Id }),
  member: z.looseObject({ user: User }).nullish(),
  user: User.nullish(),
})
export type Interaction = z.infer<typeof Interaction>

/** Whose turn it is, under which id, and how it is read when its turn comes. */
export interface DiscordReading {
  readonly chat: string
  readonly id: string
  /** It stands in the history of a private chat. */
  readonly isPrivateMessage: boolean
  readonly compose: () => Promise<InboundEvent | undefined>
}

export interface DiscordInboundParts {
  readonly self: string
  readonly directory: ChannelDirectory
}

const longestText = 100_000
const longestName = 300
const mostFiles = 20
/** Said, or said as an answer. The other kinds tell what happened in a channel. */
const messageTypes = new Set([0, 19])
const forward = 1
const voiceFlag = 1 << 13
const discordEpochMs = 1_420_070_400_000n

export function readMessage(
  data: unknown,
  { self, directory }: DiscordInboundParts,
): DiscordReading | undefined {
  const message = Message.safeParse(data).data
  if (!message || !messageTypes.has(message.type ?? 0) || message.author.id === self) return undefined
  const at = timeOf(message.timestamp)
  if (!at) return undefined
  const { id, channel_id: channel } = message
  const isPrivate = message.guild_id == null
  const addressed =
    isPrivate ||
    (message.mentions ?? []).some((one) => one.id === self) ||
    message.referenced_message?.author.id === self
  const snapshot = snapshotIn(message)
  const files = filesIn(message, snapshot?.attachments ?? message.attachments ?? [])
  const text = textOf(snapshot ? (snapshot.content ?? '') : (message.content ?? ''), message, self)
  // Without a mention of us Discord does not say what was said.
  if (!addressed && text === '' && files.length === 0) return undefined
  return {
    chat: channel,
    id,
    isPrivateMessage: isPrivate,
    async compose() {
      const sender = senderOf(message)
      const place = await placeOf(channel, isPrivate, sender.name, directory)
      const forwarded = snapshot !== undefined
      return { type: 'message', id, ...place, at, sender, text, addressed, forwarded, files }
    },
  }
}

export function readUpdate(
  data: unknown,
  { self, directory }: DiscordInboundParts,
): DiscordReading | undefined {
  const message = Message.safeParse(data).data
  if (!message || message.author.id === self) return undefined
  const { id: changed, channel_id: channel, edited_timestamp: edited } = message
  // Discord also changes a message to show what its links lead to.
  const at = edited ? timeOf(edited) : undefined
  if (!at) return undefined
  const isPrivate = message.guild_id == null
  const id = `${changed}:edited:${at}`
  return {
    chat: channel,
    id,
    isPrivateMessage: false,
    async compose() {
      const sender = senderOf(message)
      const { chat } = await placeOf(channel, isPrivate, sender.name, directory)
      const text = textOf(message.content ?? '', message, self)
      return { type: 'edited', id, chat, at, sender, message: changed, text }
    },
  }
}

export function readDeletions(data: unknown, { directory }: DiscordInboundParts): DiscordReading[] {
  const { data: one } = Deletion.safeParse(data)
  const { data: many } = Deletions.safeParse(data)
  const told = one ?? many
  if (!told) return []
  const ids = one ? [one.id] : (many?.ids ?? [])
  return ids.map((message) => {
    const id = `${message}:deleted`
    return {
      chat: told.channel_id,
      id,
      isPrivateMessage: false,
      async compose() {
        const { chat } = await placeOf(told.channel_id, told.guild_id == null, '', directory)
        // Discord does not say when, and what is told again must be the same.
        return { type: 'deleted', id, chat, at: timeOfId(message), message }
      },
    }
  })
}

/** Undefined where no button was pressed. */
export function readInteraction(data: unknown): Interaction | undefined {
  return Interaction.safeParse(data).data
}

export function readPress(press: Interaction): DiscordReading | undefined {
  const user = press.member?.user ?? press.user
  if (!user) return undefined
  const { id, channel_id: channel } = press
  const known = readChannel(press.channel, channel)
  return {
    chat: channel,
    id,
    isPrivateMessage: false,
    async compose() {
      const sender: Sender = { id: user.id, name: nameOf(user), proven: true, bot: user.bot === true }
      const chat: Chat =
        press.guild_id == null
          ? { id: channel, kind: 'private', title: sender.name }
          : { id: known.parent ?? channel, kind: 'group', title: cutText(known.name, longestName) }
      const { custom_id } = press.data
      const { id: message } = press.message
      return { type: 'pressed', id, chat, at: timeOfId(id), sender, message, data: custom_id.slice(0, 200) }
    },
  }
}

/** A thread is a channel to Discord; to us it is a part of the channel that it is in. */
async function placeOf(
  channel: string,
  isPrivate: boolean,
  person: string,
  directory: ChannelDirectory,
): Promise<{ readonly chat: Chat; readonly thread: string | null }> {
  if (isPrivate) return { chat: { id: channel, kind: 'private', title: person }, thread: null }
  const { name, parent } = await directory.channel(channel)
  const title = cutText(name, longestName)
  return { chat: { id: parent ?? channel, kind: 'group', title }, thread: parent === null ? null : channel }
}

function senderOf({ author, webhook_id }: Message): Sender {
  const isWebhook = webhook_id != null
  return {
    id: author.id,
    name: nameOf(author),
    // Whoever knows the address of a webhook writes under any name.
    proven: !isWebhook,
    bot: isWebhook || author.bot === true,
  }
}

const nameOf = (user: User): string => cutText(user.global_name || user.username || user.id, longestName)

function textOf(content: string, { mentions }: Message, self: string): string {
  const people = new Map((mentions ?? []).map((user) => [user.id, nameOf(user)]))
  return cutText(plainText(cutText(content, longestText), { self, people }), longestText)
}

function snapshotIn(message: Message) {
  if (message.message_reference?.type !== forward) return undefined
  return Snapshot.safeParse(message.message_snapshots?.[0]).data?.message ?? {}
}

function filesIn(message: Message, attachments: readonly unknown[]): InboundFile[] {
  const isVoice = ((message.flags ?? 0) & voiceFlag) !== 0
  return attachments.slice(0, mostFiles).flatMap((one) => {
    const file = Attachment.safeParse(one).data
    if (!file) return []
    return {
      ref: `${message.channel_id}/${message.id}/${file.id}`,
      name: cutText(file.filename ?? '', longestName),
      bytes: file.size ?? null,
      voice: isVoice || file.waveform != null,
    }
  })
}

function timeOf(text: string): string | undefined {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** When what has this id was made. */
function timeOfId(id: string): string {
  return new Date(Number((BigInt(id) >> 22n) + discordEpochMs)).toISOString()
}
