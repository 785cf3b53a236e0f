/**
 * A server for embeddings, images, speech and transcription that answers from a script, on the loopback address only.
 * It speaks the wires of OpenAI and its kin, Google, Cohere, Ollama and Fireworks as far as clients here use them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface MediaServerOptions {
  /** What it does with a request; left out or undefined, it answers as well as it can. */
  readonly script?: (
    request: MediaRequest,
    index: number,
  ) => MediaScript | undefined | Promise<MediaScript | undefined>
}

export interface MediaScript {
  /** From 300 on the answer is an error. */
  readonly status?: number
  readonly errorMessage?: string
  readonly retryAfter?: number
  readonly location?: string
  /** Before anything is sent. */
  readonly delayMs?: number
  /** Ends the connection within the answer. */
  readonly cutAfterBytes?: number
  /** Sent as it is, in place of the answer. */
  readonly body?: string | Uint8Array
  /** The vectors, last text first, each with its right number. */
  readonly reversed?: boolean
  /** The answer does not say what was used. */
  readonly silentOnUsage?: boolean
  readonly images?: readonly Uint8Array[]
  readonly audio?: Uint8Array
  readonly transcript?: { readonly text: string; readonly language?: string; readonly seconds?: number }
}

export interface MediaRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Empty for a form. */
  readonly body: Readonly<Record<string, unknown>>
  /** Null for anything else. */
  readonly form: FormData | null
}

export interface MediaServer {
  /** Without a path. */
  readonly url: string
  readonly requests: readonly MediaRequest[]
  /** Connections that the client ended before it had its answer. */
  readonly left: number
  close(): Promise<void>
}

/** A real image of one dot. */
export const onePixel: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The head of an MP3 file and some bytes that are not text. */
export const someSound: Uint8Array = Uint8Array.from({ length: 4_096 }, (_, index) =>
  index < 3 ? ('ID3'.codePointAt(index) ?? 0) : (index * 37) % 256,
)

/** Of no particular length; equal for equal texts. */
export function scriptedVector(text: string): number[] {
  const codes = [...Buffer.from(text)]
  return [text.length + 1, codes.reduce((sum, code) => sum + code, 0) % 97, (codes[0] ?? 0) % 13, 2]
}

export async function startMediaServer({ script }: MediaServerOptions = {}): Promise<MediaServer> {
  const requests: MediaRequest[] = []
  let left = 0
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, { error: { message: `The script failed: ${String(error)}` } })
    })
  })

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.once('close', () => {
      if (!response.writableFinished) left += 1
    })
    const request = await readRequest(incoming)
    const index = requests.push(request) - 1
    const steps = (await script?.(request, index)) ?? {}
    if (steps.delayMs !== undefined) await sleepWhileOpen(response, steps.delayMs)
    if (response.destroyed) return
    if (steps.status !== undefined && steps.status >= 300) {
      if (steps.retryAfter !== undefined) response.setHeader('retry-after', String(steps.retryAfter))
      if (steps.location !== undefined) response.setHeader('location', steps.location)
      const message = steps.errorMessage ?? `Scripted status ${steps.status}.`
      sendJson(response, steps.status, errorOf(request.path, steps.status, message))
      return
    }
    const made = steps.body === undefined ? answerOf(request, steps) : raw(steps.body)
    if (made === undefined) {
      sendJson(response, 404, { error: { message: `Nothing is served at ${request.path}.` } })
      return
    }
    response.writeHead(200, { 'content-type': made.type })
    if (steps.cutAfterBytes === undefined) response.end(made.bytes)
    else response.write(made.bytes.subarray(0, steps.cutAfterBytes), () => response.destroy())
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get left() {
      return left
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Answer {
  readonly type: string
  readonly bytes: Uint8Array
}

function answerOf(request: MediaRequest, steps: MediaScript): Answer | undefined {
  const { path, body } = request
  if (path.endsWith('/embeddings')) return openaiEmbeddings(body, steps)
  if (path === '/api/embed') return ollamaEmbeddings(body)
  if (path.endsWith('/embed')) return cohereEmbeddings(body)
  if (path.endsWith(':embedContent')) return json({ embedding: { values: scriptedVector(googleText(body)) } })
  if (path.endsWith(':batchEmbedContents')) {
    const asked = listOf(body['requests'])
    return json({ embeddings: asked.map((one) => ({ values: scriptedVector(googleText(one)) })) })
  }
  if (path.endsWith(':generateContent')) return googleImages(steps)
  if (path.endsWith('/images/generations')) return openaiImages(body['n'], steps)
  if (path.endsWith('/images/edits') || path.endsWith('/images/variations'))
    return changedImages(request, steps)
  if (path.endsWith('/text_to_image')) {
    return { type: 'image/png', bytes: steps.images?.[0] ?? onePixel }
  }
  if (path.endsWith('/audio/speech')) return speech(body, steps)
  if (path.endsWith('/audio/transcriptions') || path.endsWith('/audio/translations'))
    return transcript(request, steps)
  return undefined
}

function openaiEmbeddings(body: Fields, { reversed, silentOnUsage }: MediaScript): Answer {
  const data = textsOf(body['input']).map((text, index) => ({
    object: 'embedding',
    index,
    embedding: scriptedVector(text),
  }))
  return json({
    id: 'e1',
    object: 'list',
    model: body['model'],
    data: reversed === true ? data.toReversed() : data,
    ...(silentOnUsage === true ? {} : { usage: usageOf(textsOf(body['input'])) }),
  })
}

function cohereEmbeddings(body: Fields): Answer {
  const texts = textsOf(body['texts'])
  return json({
    id: 'e1',
    embeddings: { float: texts.map(scriptedVector) },
    meta: { billed_units: { input_tokens: tokensOf(texts) } },
  })
}

function ollamaEmbeddings(body: Fields): Answer {
  const texts = textsOf(body['input'])
  return json({
    model: body['model'],
    embeddings: texts.map(scriptedVector),
    total_duration: 1_000,
    load_duration: 100,
    prompt_eval_count: tokensOf(texts),
  })
}

/** As the real ones: without a file of a form there is nothing to change. */
function changedImages({ form }: MediaRequest, steps: MediaScript): Answer | undefined {
  return form?.get('image') instanceof File ? openaiImages(Number(form.get('n') ?? 1), steps) : undefined
}

function openaiImages(wanted: unknown, { images, silentOnUsage }: MediaScript): Answer {
  const count = typeof wanted === 'number' ? wanted : 1
  const made = images ?? Array.from({ length: count }, () => onePixel)
  return json({
    created: 1_700_000_000,
    data: made.map((image) => ({ b64_json: Buffer.from(image).toString('base64') })),
    ...(silentOnUsage === true
      ? {}
      : { usage: { input_tokens: 9, output_tokens: 1_000, total_tokens: 1_009 } }),
  })
}

function googleImages({ images = [onePixel] }: MediaScript): Answer {
  const parts = images.map((image) => ({
    inlineData: { mimeType: 'image/png', data: Buffer.from(image).toString('base64') },
  }))
  return json({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1_000, totalTokenCount: 1_009 },
  })
}

/** Mistral names the voice differently and sends the sound inside JSON. */
function speech(body: Fields, { audio = someSound }: MediaScript): Answer {
  if ('stream' in body) return json({ audio_data: Buffer.from(audio).toString('base64') })
  return { type: 'audio/mpeg', bytes: audio }
}

function transcript({ form }: MediaRequest, steps: MediaScript): Answer | undefined {
  const file = form?.get('file')
  if (!(file instanceof File)) return undefined
  const { text, language, seconds } = steps.transcript ?? { text: `${file.name}, ${file.size} bytes` }
  return json({
    model: form?.get('model'),
    text,
    language,
    duration: seconds,
    x_groq: { id: 't1' },
    segments: [],
    usage: {
      prompt_tokens: 1,
      completion_tokens: 1,
      total_tokens: 2,
      type: 'tokens',
      input_tokens: 1,
      output_tokens: 1,
    },
  })
}

type Fields = Readonly<Record<string, unknown>>

async function readRequest(incoming: IncomingMessage): Promise<MediaRequest> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  const type = incoming.headers['content-type'] ?? ''
  const isForm = type.startsWith('multipart/form-data')
  return {
    path: (incoming.url ?? '').split('?', 1)[0] ?? '',
    headers: incoming.headers,
    body: isForm ? {} : (JSON.parse(bytes.toString('utf8') || '{}') as Fields),
    form: isForm ? await new Response(bytes, { headers: { 'content-type': type } }).formData() : null,
  }
}

function errorOf(path: string, status: number, message: string): unknown {
  if (path.includes('/models/')) return { error: { code: status, message, status: 'ERROR' } }
  if (path === '/api/embed') return { error: message }
  if (path.endsWith('/embed')) return { message }
  return {
    object: 'error',
    message,
    type: 'error',
    param: null,
    code: null,
    error: { message, type: 'error', code: null },
  }
}

function googleText(request: unknown): string {
  const { content } = request as {
    readonly content: { readonly parts: readonly { readonly text: string }[] }
  }
  return content.parts.map(({ text }) => text).join('')
}

function usageOf(texts: readonly string[]): object {
  const tokens = tokensOf(texts)
  return { prompt_tokens: tokens, total_tokens: tokens }
}

/** One for every word. */
function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
}

function textsOf(value: unknown): string[] {
  return listOf(value).map(String)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function json(value: unknown): Answer {
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(value)) }
}

function raw(body: string | Uint8Array): Answer {
  return { type: 'application/json', bytes: Buffer.from(body) }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function sleepWhileOpen(response: ServerResponse, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
