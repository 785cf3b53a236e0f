/**
 * Owns how the Bot API is called: one request, and whether it was refused, may be tried later, or may have been done.
 * What it says never holds the token.
 */
import { z } from 'zod'
import { jsonIn, type WebCall, webCall } from '../frame/web-call.ts'

export type ApiAnswer =
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'failed'
      readonly code: number
      readonly problem: string
      readonly retryAfterMs: number | null
      /** The group became a supergroup with this id. */
      readonly movedTo: string | null
    }
  /** Nobody heard it. */
  | { readonly kind: 'not-sent'; readonly problem: string }
  /** It may have been done. */
  | { readonly kind: 'lost'; readonly problem: string }

export interface BotApi {
  call(method: string, parameters: CallParameters, options?: CallOptions): Promise<ApiAnswer>
  /** Rejects where there is no such file, or it is larger. */
  download(path: string, most: number): Promise<Uint8Array>
}

export type CallParameters = Readonly<Record<string, unknown>>

export interface CallFile {
  readonly field: string
  readonly name: string
  readonly content: Blob
}

export interface CallOptions {
  readonly file?: CallFile
  readonly withinMs?: number
}

export interface BotApiParts {
  readonly apiRoot: string
  readonly token: string
  readonly signal: AbortSignal
}

const usualMs = 60_000
const longestAnswer = 20_000_000

const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error_code: z.int(),
    description: z.string().catch('It did not say why.'),
    parameters: z
      .object({ retry_after: z.number().min(0).optional(), migrate_to_chat_id: z.int().optional() })
      .optional()
      .catch(undefined),
  }),
])

export function createBotApi({ apiRoot, token, signal }: BotApiParts): BotApi {
  const root = apiRoot.replace(/\/+$/, '')
  const tellable = (problem: string) => problem.replaceAll(token, '…').slice(0, 300)

  async function call(
    method: string,
    parameters: CallParameters,
    { file, withinMs = usualMs }: CallOptions = {},
  ): Promise<ApiAnswer> {
    const body: Pick<WebCall, 'body' | 'headers'> = file
      ? { body: formOf(parameters, file) }
      : { body: JSON.stringify(parameters), headers: { 'content-type': 'application/json' } }
    const answer = await webCall(`${root}/bot${token}/${method}`, {
      method: 'POST',
      ...body,
      most: longestAnswer,
      patienceMs: withinMs,
      signal,
    })
    if (answer.kind === 'answered') return readAnswer(answer.status, answer.body)
    return { kind: answer.kind, problem: `Telegram cannot be reached: ${tellable(answer.problem)}` }
  }

  async function download(path: string, most: number): Promise<Uint8Array> {
    if (!/^[\w-]+(?:\/[\w.-]+)+$/.test(path) || path.split('/').includes('..'))
      throw new Error('The Bot API server keeps the file where it cannot be fetched.')
    const answer = await webCall(`${root}/file/bot${token}/${path}`, {
      method: 'GET',
      most,
      patienceMs: usualMs,
      signal,
    })
    if (answer.kind !== 'answered') throw new Error(tellable(answer.problem))
    if (answer.status !== 200)
      throw new Error(`Telegram answered ${answer.status} when it was asked for the file.`)
    return answer.body
  }

  return { call, download }
}

function formOf(parameters: CallParameters, file: CallFile): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(parameters))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  form.set(file.field, file.content, file.name)
  return form
}

function readAnswer(status: number, body: Uint8Array): ApiAnswer {
  const read = Answer.safeParse(jsonIn(body))
  if (!read.success) {
    // A server in between; only its number says something.
    const problem = `Telegram answered ${status}.`
    return status >= 400 && status < 500
      ? { kind: 'failed', code: status, problem, retryAfterMs: null, movedTo: null }
      : { kind: 'lost', problem }
  }
  if (read.data.ok) return { kind: 'done', result: read.data.result }
  const { error_code: code, description, parameters } = read.data
  const problem = `Telegram says: ${description.slice(0, 300)}`
  if (code >= 500) return { kind: 'lost', problem }
  const seconds = parameters?.retry_after
  const movedTo = parameters?.migrate_to_chat_id
  return {
    kind: 'failed',
    code,
    problem,
    retryAfterMs: seconds === undefined ? null : Math.ceil(seconds * 1_000),
    movedTo: movedTo === undefined ? null : String(movedTo),
  }
}
