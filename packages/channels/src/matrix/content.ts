/** Owns what an event of a room becomes for us, or that it is nothing. The homeserver vouches for who sent it. */
import { z } from 'zod'
import { cutText } from '../frame/clean-text.ts'
import type { InboundEvent } from '../frame/events.ts'
import { FileContent, fileOf, shownName } from './files.ts'
import type { Room } from './rooms.ts'

const EventId = z.string().min(1).max(255)

export const RoomEvent = z.looseObject({
  type: z.string(),
  event_id: EventId,
  sender: z.string().min(1).max(255),
  origin_server_ts: z.number().min(0).max(8_640_000_000_000_000),
  state_key: z.string().optional().catch(undefined),
  content: z.unknown().optional(),
})
export type RoomEvent = z.infer<typeof RoomEvent>

const Relation = z.object({
  rel_type: z.string().optional().catch(undefined),
  event_id: EventId.optional().catch(undefined),
  is_falling_back: z.boolean().optional().catch(undefined),
  'm.in_reply_to': z.object({ event_id: EventId }).optional().catch(undefined),
})

const MessageContent = z.object({
  msgtype: z.string(),
  body: z.string(),
  filename: z.string().optional().catch(undefined),
  'm.mentions': z
    .object({ user_ids: z.array(z.string()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  'm.relates_to': Relation.optional().catch(undefined),
  'm.new_content': z.unknown().optional(),
})
type MessageContent = z.infer<typeof MessageContent>

export interface Reading {
  readonly user: string
  readonly room: Room
  /** What people called themselves when it was sent, as far as that is not what they do now. */
  readonly names: ReadonlyMap<string, string>
  /** It came encrypted, and its key fits. */
  readonly wasEncrypted: boolean
  /** Who sent that event; undefined where nobody knows. */
  senderOf(event: string): Promise<string | undefined>
}

export async function inboundOf(event: RoomEvent, reading: Reading): Promise<InboundEvent | undefined> {
  const { room, user } = reading
  if (event.sender === user || event.state_key !== undefined) return undefined
  const base = {
    id: event.event_id,
    chat: { id: room.id, kind: room.isPrivate ? 'private' : 'group', title: shownName(titleOf(reading)) },
    at: new Date(event.origin_server_ts).toISOString(),
  } as const
  if (event.type === 'm.room.redaction') {
    const message = redacted(event)
    return message === undefined ? undefined : { type: 'deleted', ...base, message }
  }
  const read = MessageContent.safeParse(event.content)
  if (event.type !== 'm.room.message' || !read.success) return undefined
  const content = read.data
  const sender = {
    id: event.sender,
    name: shownName(nameOf(reading, event.sender)),
    // Where everybody encrypts, what comes open may be anybody's.
    proven: reading.wasEncrypted || !room.encrypted,
    bot: content.msgtype === 'm.notice',
  }
  const relation = content['m.relates_to']
  if (relation?.rel_type === 'm.replace') {
    const changed = MessageContent.safeParse(content['m.new_content'])
    const { event_id: message } = relation
    if (!changed.success || message === undefined) return undefined
    // Anybody can send a change of what another wrote; nobody shows it.
    if ((await reading.senderOf(message)) !== event.sender) return undefined
    return { type: 'edited', ...base, sender, message, text: textOf(changed.data, reading) }
  }
  const text = textOf(content, reading)
  const file = fileOf(event.content)
  if (text === '' && !file) return undefined
  const answered = relation?.is_falling_back ? undefined : relation?.['m.in_reply_to']?.event_id
  return {
    type: 'message',
    ...base,
    sender,
    text,
    thread: relation?.rel_type === 'm.thread' ? (relation.event_id ?? null) : null,
    addressed:
      room.isPrivate ||
      isMentioned(content, user) ||
      (answered !== undefined && (await reading.senderOf(answered)) === user),
    forwarded: false,
    files: file ? [file] : [],
  }
}

const nameOf = ({ names, room }: Reading, user: string): string =>
  names.get(user) ?? room.members.get(user) ?? user

function titleOf(reading: Reading): string {
  const other = [...reading.room.members.keys()].find((member) => member !== reading.user)
  return reading.room.name ?? (other === undefined ? '' : nameOf(reading, other))
}

function redacted(event: RoomEvent): string | undefined {
  const Redaction = z.object({ redacts: EventId })
  for (const place of [event.content, event]) {
    const read = Redaction.safeParse(place)
    if (read.success) return read.data.redacts
  }
  return undefined
}

/** Old clients name us in the text alone. */
function isMentioned({ body, 'm.mentions': mentions }: MessageContent, user: string): boolean {
  if (mentions) return mentions.user_ids?.includes(user) ?? false
  return body.split(/[\s,;]+/).some((word) => word.replace(/[:.!?]+$/, '') === user)
}

/** What they wrote themselves: not the quote above it, not our name before it, not the name of a file. */
function textOf(content: MessageContent, reading: Reading): string {
  const { user } = reading
  let text = content.body
  const file = FileContent.safeParse(content)
  if (file.success && !['m.text', 'm.notice', 'm.emote', 'm.location'].includes(content.msgtype)) {
    const { filename } = file.data
    text = filename === undefined || filename === text ? '' : text
  }
  if (content['m.relates_to']?.['m.in_reply_to'] && text.startsWith('> <'))
    text = text.replace(/^(>.*\n)+\n?/, '')
  if (isMentioned(content, user)) text = withoutName(text, [user, nameOf(reading, user)])
  return cutText(text, 100_000)
}

function withoutName(text: string, names: readonly string[]): string {
  const name = names.find((one) => one !== '' && text.startsWith(one))
  return name === undefined ? text : text.slice(name.length).replace(/^[:,]?\s+/, '')
}
