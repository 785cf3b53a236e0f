/**
 * Owns who may speak to the address of this channel on the web, and what they say: Meta alone, by the app's signature.
 * Turns its notices into events, and drops what is none of ours.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { InboundEvent, InboundFile } from '../frame/events.ts'
import type { WebRequest } from '../frame/protocol.ts'

/** What Meta asks once to see that the address is ours. Undefined where whoever asks does not know the token. */
export function challengeOf({ query }: WebRequest, verifyToken: string): string | undefined {
  const asked = new URLSearchParams(query)
  const challenge = asked.get('hub.challenge') ?? ''
  const isMeta = asked.get('hub.mode') === 'subscribe' && isSame(asked.get('hub.verify_token'), verifyToken)
  return isMeta && /^[\w.-]{1,500}$/.test(challenge) ? challenge : undefined
}

export function isSigned({ headers, body }: WebRequest, appSecret: string): boolean {
  const signature = headers['x-hub-signature-256']
  return isSame(signature ?? null, `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`)
}

/** Takes as long for every guess. */
function isSame(said: string | null, expected: string): boolean {
  if (said === null || said === '' || expected === '') return false
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(said), digest(expected))
}

const Words = z.string().catch('')
const Media = z.looseObject({
  id: z.string().regex(/^\d{1,60}$/),
  mime_type: Words,
  filename: Words,
  caption: Words,
  voice: z.boolean().catch(false),
})
const Reply = z.looseObject({ id: z.string().min(1).max(200) })

const Message = z.looseObject({
  id: z.string().min(1).max(300),
  from: z
    .string()
    .regex(/^\d{5,20}$/)
    .optional()
    .catch(undefined),
  /** Of the person in this business. It outlives no change of the number, and no other person ever has it. */
  from_user_id: z
    .string()
    .regex(/^[A-Z]{2}\.[\w.]{1,200}$/)
    .optional()
    .catch(undefined),
  group_id: z.unknown().optional(),
  timestamp: z.string().regex(/^\d{1,11}$/),
  type: z.string(),
  text: z.looseObject({ body: z.string() }).optional().catch(undefined),
  button: z.looseObject({ text: z.string() }).optional().catch(undefined),
  image: Media.optional().catch(undefined),
  video: Media.optional().catch(undefined),
  audio: Media.optional().catch(undefined),
  document: Media.optional().catch(undefined),
  sticker: Media.optional().catch(undefined),
  interactive: z
    .looseObject({
      button_reply: Reply.optional().catch(undefined),
      list_reply: Reply.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  context: z
    .looseObject({
      id: z.string().min(1).max(300).optional().catch(undefined),
      forwarded: z.boolean().catch(false),
      frequently_forwarded: z.boolean().catch(false),
    })
    .optional()
    .catch(undefined),
})
type Message = z.infer<typeof Message>

const Contact = z.looseObject({
  wa_id: Words,
  user_id: Words,
  profile: z.looseObject({ name: Words }).catch({ name: '' }),
})

const Notice = z.looseObject({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(
    z.looseObject({
      changes: z.array(
        z.looseObject({
          field: z.string(),
          value: z.looseObject({
            metadata: z.looseObject({ phone_number_id: z.string() }).optional().catch(undefined),
            contacts: z.array(z.unknown()).catch([]),
            messages: z.array(z.unknown()).catch([]),
          }),
        }),
      ),
    }),
  ),
})

/** In the order in which it says them. What a notice says of other numbers, or in words that nobody knows, is nothing. */
export function eventsIn(body: Uint8Array, phoneNumberId: string): InboundEvent[] {
  const notice = Notice.safeParse(jsonOf(body))
  if (!notice.success) return []
  return notice.data.entry
    .flatMap(({ changes }) => changes)
    .filter(({ field, value }) => field === 'messages' && value.metadata?.phone_number_id === phoneNumberId)
    .flatMap(({ value }) => {
      const contacts = value.contacts.flatMap((contact) => Contact.safeParse(contact).data ?? [])
      return value.messages.flatMap((message) => {
        const read = Message.safeParse(message)
        return (read.success && eventOf(read.data, contacts)) || []
      })
    })
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    // It was signed, and is no notice all the same: asking for it again brings the same.
    return undefined
  }
}

function eventOf(message: Message, contacts: readonly z.infer<typeof Contact>[]): InboundEvent | undefined {
  const person = message.from_user_id ?? message.from
  if (person === undefined || message.group_id !== undefined) return undefined
  const contact = contacts.find(({ wa_id, user_id }) => wa_id === message.from || user_id === person)
  const name = (contact?.profile.name ?? '').toWellFormed().slice(0, 300)
  const base = {
    id: message.id,
    chat: { id: person, kind: 'private' as const, title: name },
    at: new Date(Number(message.timestamp) * 1_000).toISOString(),
    sender: { id: person, name, proven: true, bot: false },
  }
  const reply = message.interactive?.button_reply ?? message.interactive?.list_reply
  const answered = message.context?.id
  if (reply)
    return answered === undefined
      ? undefined
      : { type: 'pressed', ...base, message: answered, data: reply.id }
  const file = fileOf(message)
  const text = message.text?.body ?? message.button?.text ?? file?.caption
  if (text === undefined) return undefined
  return {
    type: 'message',
    ...base,
    text: text.toWellFormed().slice(0, 100_000),
    thread: null,
    addressed: true,
    forwarded: message.context?.forwarded === true || message.context?.frequently_forwarded === true,
    files: file ? [file.file] : [],
  }
}

const mediaKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const

function fileOf(message: Message): { readonly file: InboundFile; readonly caption: string } | undefined {
  const kind = mediaKinds.find((one) => one === message.type)
  const media = kind && message[kind]
  if (!media) return undefined
  const ending = /^\w+\/([\w]{1,10})/.exec(media.mime_type)?.[1] ?? 'bin'
  const name = (media.filename === '' ? `${kind}.${ending}` : media.filename).toWellFormed().slice(0, 300)
  return { file: { ref: media.id, name, bytes: null, voice: media.voice }, caption: media.caption }
}
