/**
 * Owns what a message of Signal becomes: an event, or nothing. Whoever wrote it is known by the id of their account
 * (ACI), which Signal's encryption proves; numbers and names can pass to somebody else.
 */
import { z } from 'zod'
import { cleanText, cutText } from '../frame/clean-text.ts'
import type { Chat, InboundEvent, InboundFile } from '../frame/events.ts'

const Aci = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const Time = z.int().min(1).max(8_640_000_000_000_000)

const Attachment = z.object({
  id: z.string().nullish(),
  contentType: z.string().nullish(),
  filename: z.string().nullish(),
  size: z.number().nullish(),
})
type Attachment = z.infer<typeof Attachment>

const Mention = z.object({
  uuid: z.string().nullish(),
  number: z.string().nullish(),
  start: z.int().min(0),
  length: z.int().min(0),
})
type Mention = z.infer<typeof Mention>

const DataMessage = z.object({
  message: z.string().nullish(),
  groupInfo: z.object({ groupId: z.string(), groupName: z.string().nullish() }).nullish(),
  attachments: z.array(Attachment).nullish(),
  mentions: z.array(Mention).nullish(),
  quote: z.object({ authorUuid: z.string().nullish(), authorNumber: z.string().nullish() }).nullish(),
  remoteDelete: z.object({ timestamp: Time }).nullish(),
})
type DataMessage = z.infer<typeof DataMessage>

const Received = z.object({
  account: z.string().nullish(),
  envelope: z.object({
    sourceUuid: Aci,
    sourceName: z.string().nullish(),
    timestamp: Time,
    dataMessage: DataMessage.nullish(),
    editMessage: z.object({ targetSentTimestamp: Time, dataMessage: DataMessage }).nullish(),
  }),
})
const Subscribed = z.object({ result: Received })

/** Who we are; the id is null until it was found out. */
export interface OwnAccount {
  readonly account: string
  readonly aci: string | null
}

/** What stands in the text where somebody is mentioned. */
const placeholder = '\uFFFC'
const longestText = 100_000
const mostFiles = 20

/** Undefined where it is nothing for us: receipts, typing, what our other devices sent, calls. */
export function eventOf(params: unknown, own: OwnAccount): InboundEvent | undefined {
  const read = z.union([Subscribed.transform(({ result }) => result), Received]).safeParse(params)
  if (!read.success) return undefined
  const { account, envelope } = read.data
  const isOurs = (name: string | null | undefined) =>
    name != null && (name === own.account || name === own.aci)
  if ((account != null && !isOurs(account)) || isOurs(envelope.sourceUuid)) return undefined
  const data = envelope.dataMessage ?? envelope.editMessage?.dataMessage
  if (!data) return undefined
  const { sourceUuid: source, timestamp } = envelope
  const name = shortName(envelope.sourceName ?? '')
  const chat = chatOf(source, name, data)
  const base = { id: messageId(source, timestamp), chat, at: new Date(timestamp).toISOString() }
  const sender = { id: source, name, proven: true, bot: false }
  if (data.remoteDelete)
    return { type: 'deleted', ...base, message: messageId(source, data.remoteDelete.timestamp) }
  const { text, isMentioned } = textOf(data, isOurs)
  if (envelope.editMessage)
    return {
      type: 'edited',
      ...base,
      sender,
      message: messageId(source, envelope.editMessage.targetSentTimestamp),
      text,
    }
  const files = filesOf(chat.id, data.attachments ?? [])
  if (text === '' && files.length === 0) return undefined
  const isAnswer = isOurs(data.quote?.authorUuid) || isOurs(data.quote?.authorNumber)
  const addressed = chat.kind === 'private' || isMentioned || isAnswer
  return { type: 'message', ...base, sender, text, thread: null, addressed, forwarded: false, files }
}

/** Signal knows a message by who wrote it and when. */
export const messageId = (source: string, timestamp: number): string => `${source}/${timestamp}`

const shortName = (name: string): string => cutText(cleanText(name).replaceAll(/\s+/g, ' ').trim(), 300)

function chatOf(source: string, name: string, { groupInfo }: DataMessage): Chat {
  if (!groupInfo) return { id: source, kind: 'private', title: name }
  return { id: groupInfo.groupId, kind: 'group', title: shortName(groupInfo.groupName ?? '') }
}

/** Ours are cut away; others stand there as what Signal tells of them. */
function textOf(
  { message, mentions }: DataMessage,
  isOurs: (name: string | null | undefined) => boolean,
): { readonly text: string; readonly isMentioned: boolean } {
  let text = message ?? ''
  let isMentioned = false
  for (const { uuid, number, start, length } of (mentions ?? []).toSorted((a, b) => b.start - a.start)) {
    if (text.slice(start, start + length) !== placeholder) continue
    const isUs = isOurs(uuid) || isOurs(number)
    isMentioned ||= isUs
    const rest = text.slice(start + length)
    text = text.slice(0, start) + (isUs ? rest.replace(/^[ ,:]+/, '') : `@${number ?? uuid ?? ''}${rest}`)
  }
  return { text: cutText(isMentioned ? text.trim() : text, longestText), isMentioned }
}

/** A note that somebody spoke has no name of its own. */
function filesOf(chat: string, attachments: readonly Attachment[]): InboundFile[] {
  return attachments.slice(0, mostFiles).flatMap(({ id, contentType, filename, size }) => {
    const bytes = size != null && Number.isSafeInteger(size) && size >= 0 ? size : null
    if (id == null || !attachmentId.test(id)) return []
    return [
      {
        ref: `${chat}|${bytes ?? ''}|${id}`,
        name: shortName(filename ?? id),
        bytes,
        voice: filename == null && (contentType ?? '').startsWith('audio/'),
      },
    ]
  })
}

const attachmentId = /^[A-Za-z0-9_-]{1,200}(\.[A-Za-z0-9]{1,20})*$/

export interface AttachmentRef {
  readonly chat: string
  readonly bytes: number | null
  readonly id: string
}

/** Undefined where it is none of ours. */
export function readAttachmentRef(ref: string): AttachmentRef | undefined {
  const [chat, bytes, id, ...more] = ref.split('|')
  if (!chat || bytes === undefined || !/^\d{0,15}$/.test(bytes)) return undefined
  if (id === undefined || !attachmentId.test(id) || more.length > 0) return undefined
  return { chat, bytes: bytes === '' ? null : Number(bytes), id }
}
