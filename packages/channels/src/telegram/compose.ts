/** Owns how a message of ours is put to the Bot API: its text and entities, its buttons, its file. Pure. */

import { cleanText } from '../frame/clean-text.ts'
import type { Button, OutboundFile, OutboundMessage } from '../frame/protocol.ts'
import { sizeIn } from '../frame/split.ts'
import type { CallFile, CallParameters } from './bot-api.ts'
import { type EntityText, renderEntities } from './entities.ts'

const longestCaption = 1_024
const longestData = 64
const shortLabel = 18

export function renderText({ text, format }: Pick<OutboundMessage, 'text' | 'format'>): EntityText {
  const clean = cleanText(text).trim()
  return format === 'markdown' ? renderEntities(clean) : { text: clean, entities: [] }
}

export const fitsCaption = ({ text }: EntityText): boolean => text.length <= longestCaption

/** Nothing is fetched for a picture of a page. */
export const textParameters = ({ text, entities }: EntityText): CallParameters => ({
  text,
  entities,
  link_preview_options: { is_disabled: true },
})

export const captionParameters = ({ text, entities }: EntityText): CallParameters =>
  text === '' ? {} : { caption: text, caption_entities: entities }

export interface PlacedMessage extends CallParameters {
  readonly chat_id: string
  readonly message_thread_id?: number
}

export function placeParameters(chat: string, thread: string | null): PlacedMessage {
  const topic = /^\d{1,10}$/.exec(thread ?? '')?.[0]
  return { chat_id: chat, ...(topic === undefined ? {} : { message_thread_id: Number(topic) }) }
}

/** Undefined where one cannot be shown. */
export function keyboardOf(buttons: readonly Button[]): CallParameters | undefined {
  const size = sizeIn('bytes')
  const shown = buttons.map(({ label, data }) => ({
    text: cleanText(label).trim(),
    callback_data: data,
  }))
  if (shown.some(({ text, callback_data: data }) => text === '' || data === '' || size(data) > longestData))
    return undefined
  const perRow = shown.every(({ text }) => text.length <= shortLabel) ? 2 : 1
  const rows = Array.from({ length: Math.ceil(shown.length / perRow) }, (_, row) =>
    shown.slice(row * perRow, (row + 1) * perRow),
  )
  return { inline_keyboard: rows }
}

export interface FileCall {
  readonly method: 'sendVoice' | 'sendDocument'
  readonly file: CallFile
}

/** What is spoken can be played where it stands; everything else is a document, so that nothing of it is changed. */
export function fileCall({ name, mediaType, bytes }: OutboundFile): FileCall {
  const isVoice = /^audio\/(?:ogg|opus)\b/.test(mediaType)
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream'
  const field = isVoice ? 'voice' : 'document'
  const content = new Blob([new Uint8Array(bytes)], { type })
  return { method: isVoice ? 'sendVoice' : 'sendDocument', file: { field, name: fileName(name), content } }
}

function fileName(name: string): string {
  const clean = name.replaceAll(/[\p{Cc}\p{Cf}/\\"]/gu, '_').toWellFormed()
  return clean === '' ? 'file' : clean
}
