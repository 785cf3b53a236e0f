/** Owns how an answer reaches the client, and what its failures mean. */
import { ErrorReply } from '../api.ts'
import { CountersignError, type ErrorCode, errorCatalogue } from '../errors.ts'

/** What the client needs of an answer; a `Response` is one. */
export interface TransportReply {
  readonly ok: boolean
  readonly status: number
  json(): Promise<unknown>
  readonly body: ReadableStream<Uint8Array> | null
}

/** Makes one request and follows no redirect. `fetch` is one. */
export type Transport = (
  url: URL,
  request: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string
    readonly redirect: 'error'
    readonly signal: AbortSignal
  },
) => Promise<TransportReply>

export async function errorOf(response: TransportReply): Promise<CountersignError> {
  const reply = ErrorReply.safeParse(await response.json().catch(() => undefined))
  if (!reply.success)
    return new CountersignError('internal', `The gateway answered ${response.status} without a reason.`)
  const { type, message, next, details } = reply.data.error
  const code = type in errorCatalogue ? (type as ErrorCode) : 'internal'
  return new CountersignError(code, message, { next, ...(details ? { details } : {}) })
}
