/** Owns OpenAI's wire for pictures and sound: how each task is asked for, and what of an answer is taken. */
import type { ModelUsage } from '@countersign/agent'
import { type MakingTask, type MediaFile, type MediaReply, soundTypes } from '@countersign/contract'
import { z } from 'zod'
import { BodyFault } from '../calls/failure.ts'
import type { ModelConfig } from '../providers/config.ts'
import { endingOfType, pictureTypeOf } from './media-type.ts'

/** In bytes, of one. */
const largestPicture = 16_000_000
const largestSound = 25_000_000
const longestTranscript = 1_000_000

export interface MediaAnswer {
  readonly reply: Extract<MediaReply, { kind: 'made' | 'heard' }>
  readonly usage: ModelUsage | null
  readonly pictures?: number
  readonly seconds?: number | null
}

/** In bytes: bytes in JSON are a third longer, with some words around them. */
export function mostAnswerBytes(task: MakingTask): number {
  if (task.kind === 'speech') return largestSound
  return 'count' in task ? Math.ceil((largestPicture * task.count * 4) / 3) + 1_000_000 : 20_000_000
}

export interface MediaWire {
  readonly config: Pick<ModelConfig, 'kind' | 'model' | 'name'>
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
}

/** Throws what `failureOf` reads. */
export async function askProvider(
  task: MakingTask,
  wire: MediaWire,
  signal: AbortSignal,
): Promise<MediaAnswer> {
  const { path, body } = requestOf(task, wire.config)
  const headers = new Headers(wire.apiKey === '' ? {} : { authorization: `Bearer ${wire.apiKey}` })
  if (!(body instanceof FormData)) headers.set('content-type', 'application/json')
  const response = await wire.fetch(`${wire.baseUrl}${path}`, {
    method: 'POST',
    headers,
    body: body instanceof FormData ? body : JSON.stringify(body),
    signal,
  })
  if (!response.ok) throw new RefusedByProvider(response, await response.text())
  const model = `${wire.config.name}/${wire.config.model}`
  if (task.kind === 'speech') return spoken(task, model, new Uint8Array(await response.arrayBuffer()))
  const answer: unknown = await response.json()
  return 'count' in task ? drawn(task, model, answer) : heard(model, answer)
}

/** In the shape in which the packages of providers tell it. */
class RefusedByProvider extends Error {
  readonly statusCode: number
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string

  constructor({ status, headers }: Response, body: string) {
    super(`status ${status}`)
    this.statusCode = status
    this.responseHeaders = Object.fromEntries(headers)
    this.responseBody = body
  }
}

type Fields = Readonly<Record<string, string | number | undefined>>

interface MediaRequest {
  readonly path: string
  readonly body: Fields | FormData
}

function requestOf(task: MakingTask, { model, kind }: MediaWire['config']): MediaRequest {
  switch (task.kind) {
    case 'picture': {
      const { prompt, count, size, quality, style } = task
      const form = kind === 'together' ? 'base64' : 'b64_json'
      // The newer models send nothing but bytes, refuse to be told so, and know other qualities.
      const fields = isNewer(model)
        ? { quality: quality && { standard: 'medium', hd: 'high' }[quality] }
        : { quality, style, response_format: form }
      return { path: '/images/generations', body: { model, prompt, n: count, size, ...fields } }
    }
    case 'edit': {
      const { prompt, image, mask, count, size } = task
      const files = mask ? { image, mask } : { image }
      return {
        path: '/images/edits',
        body: form({ model, prompt, n: count, size, ...bytesWish(model) }, files),
      }
    }
    case 'variation': {
      const { image, count, size } = task
      return {
        path: '/images/variations',
        body: form({ model, n: count, size, ...bytesWish(model) }, { image }),
      }
    }
    case 'speech': {
      const { text, voice, format, speed } = task
      return { path: '/audio/speech', body: { model, input: text, voice, response_format: format, speed } }
    }
    case 'transcript': {
      const fields = { model, language: task.language, prompt: task.hint, response_format: told(model) }
      return { path: '/audio/transcriptions', body: form(fields, { file: task.sound }) }
    }
    case 'translation': {
      const fields = { model, prompt: task.hint, response_format: told(model) }
      return { path: '/audio/translations', body: form(fields, { file: task.sound }) }
    }
  }
}

function isNewer(model: string): boolean {
  return /gpt-image/.test(model)
}

function bytesWish(model: string): Fields {
  return isNewer(model) ? {} : { response_format: 'b64_json' }
}

/** Only these tell how long a recording was. */
function told(model: string): string {
  return /whisper/.test(model) ? 'verbose_json' : 'json'
}

function form(fields: Fields, files: Readonly<Record<string, MediaFile>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) data.set(name, String(value))
  for (const [name, { mediaType, base64 }] of Object.entries(files)) {
    const file = new Blob([Buffer.from(base64, 'base64')], { type: mediaType })
    data.set(name, file, `${name}.${endingOfType(mediaType)}`)
  }
  return data
}

const Usage = z.object({ input_tokens: z.number().min(0), output_tokens: z.number().min(0) })
const Pictures = z.object({
  data: z.array(z.object({ b64_json: z.string().optional() })).min(1),
  usage: Usage.optional().catch(undefined),
})

function drawn(task: Extract<MakingTask, { count: number }>, model: string, answer: unknown): MediaAnswer {
  const read = Pictures.safeParse(answer)
  if (!read.success) throw fault('The model provider sent no picture.')
  const { data, usage } = read.data
  if (data.length > task.count) throw fault('The model provider sent more pictures than were asked for.')
  const files = data.map(({ b64_json: base64 }): MediaFile => {
    // An address would have to be called, and nobody chose it.
    if (base64 === undefined)
      throw fault('The model provider sent an address in place of a picture. Choose another model.')
    const bytes = Buffer.from(base64, 'base64')
    const mediaType = pictureTypeOf(bytes)
    if (mediaType === null) throw fault('The model provider sent something that is no picture.')
    if (bytes.length > largestPicture) throw fault('The model provider sent a picture of more than 16 MB.')
    return { mediaType, base64 }
  })
  return { reply: { kind: 'made', model, files }, usage: usageOf(usage), pictures: files.length }
}

function spoken(
  task: Extract<MakingTask, { kind: 'speech' }>,
  model: string,
  bytes: Uint8Array,
): MediaAnswer {
  if (bytes.length === 0) throw fault('The model provider sent no sound.')
  const file = { mediaType: soundTypes[task.format], base64: Buffer.from(bytes).toString('base64') }
  return { reply: { kind: 'made', model, files: [file] }, usage: null }
}

const Heard = z.object({
  text: z.string(),
  language: z.string().max(100).nullish().catch(null),
  duration: z.coerce.number().min(0).max(1_000_000).nullish().catch(null),
  usage: Usage.optional().catch(undefined),
})

function heard(model: string, answer: unknown): MediaAnswer {
  const read = Heard.safeParse(answer)
  if (!read.success) throw fault('The model provider sent no text.')
  const { text, language = null, duration = null, usage } = read.data
  if (text.length > longestTranscript) throw fault('The model provider sent more text than is taken over.')
  return {
    reply: { kind: 'heard', model, text: text.toWellFormed(), language, seconds: duration },
    usage: usageOf(usage),
    seconds: duration,
  }
}

function usageOf(usage: z.infer<typeof Usage> | undefined): ModelUsage | null {
  if (!usage) return null
  return { input: usage.input_tokens, output: usage.output_tokens, cached: 0, reasoning: 0 }
}

function fault(message: string): BodyFault {
  return new BodyFault({ kind: 'unknown', message })
}
