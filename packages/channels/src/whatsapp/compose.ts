/** Owns what one message becomes in the words of the Cloud API: a text, a question with buttons, or a file with a caption. Pure. */
import type { Button, OutboundFile, OutboundMessage } from '../frame/protocol.ts'
import { rendered } from './render.ts'

export type Json = Readonly<Record<string, unknown>>

const most = { replies: 3, title: 20, replyText: 1_024, rowTitle: 24, caption: 1_024 }

/** Whom it is for; undefined where that is nobody of WhatsApp. */
export function recipientOf(chat: string): Json | undefined {
  if (/^\d{5,20}$/.test(chat)) return { to: chat }
  if (/^[A-Z]{2}\.[\w.]{1,200}$/.test(chat)) return { recipient: chat }
  return undefined
}

/** In the order in which they go. `media` is what was uploaded for the file. */
export function composed(message: OutboundMessage, recipient: Json, media: string | null): Json[] {
  const text = rendered(message.text, message.format)
  const base = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipient,
    biz_opaque_callback_data: message.key,
  }
  const words = (): Json[] => (text.trim() === '' ? [] : [{ ...base, ...wordsOf(text, message.buttons) }])
  if (!message.file || media === null) return words()
  const kind = mediaKind(message.file)
  const holds = kind !== 'audio' && text.length <= most.caption && message.buttons.length === 0
  const caption = holds && text.trim() !== '' ? { caption: text } : {}
  const name = kind === 'document' ? { filename: fileName(message.file) } : {}
  return [{ ...base, type: kind, [kind]: { id: media, ...caption, ...name } }, ...(holds ? [] : words())]
}

function wordsOf(text: string, buttons: readonly Button[]): Json {
  if (buttons.length === 0) return { type: 'text', text: { body: text, preview_url: false } }
  const short =
    buttons.length <= most.replies &&
    text.length <= most.replyText &&
    buttons.every(({ label }) => label.length <= most.title)
  return {
    type: 'interactive',
    interactive: { ...(short ? replies(buttons) : rows(buttons)), body: { text } },
  }
}

function replies(buttons: readonly Button[]): Json {
  return {
    type: 'button',
    action: {
      buttons: buttons.map(({ label, data }) => ({ type: 'reply', reply: { id: data, title: label } })),
    },
  }
}

/** For more or longer ones than fit on buttons. A row has a short title and room for the whole below it. */
function rows(buttons: readonly Button[]): Json {
  const row = ({ label, data }: Button): Json =>
    label.length <= most.rowTitle
      ? { id: data, title: label }
      : { id: data, title: `${label.slice(0, most.rowTitle - 1).toWellFormed()}…`, description: label }
  return { type: 'list', action: { button: 'Choose', sections: [{ rows: buttons.map(row) }] } }
}

export function mediaKind({ mediaType }: OutboundFile): 'image' | 'audio' | 'video' | 'document' {
  if (/^image\/(jpeg|png)$/.test(mediaType)) return 'image'
  if (/^audio\/(aac|mp4|mpeg|amr|ogg)$/.test(mediaType)) return 'audio'
  return /^video\/(mp4|3gpp)$/.test(mediaType) ? 'video' : 'document'
}

const documents =
  /^(text\/plain|application\/(pdf|msword|vnd\.ms-(excel|powerpoint)|vnd\.openxmlformats-[\w.-]+))$/

/** The list of what it takes is short; what is on none of it goes as bytes under its name. */
export function uploadType(file: OutboundFile): string {
  return mediaKind(file) !== 'document' || documents.test(file.mediaType) ? file.mediaType : 'text/plain'
}

export function fileName({ name }: OutboundFile): string {
  const clean = name.toWellFormed().replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069"/\\]/gu, '_')
  return clean.slice(0, 240)
}
