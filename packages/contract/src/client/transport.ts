/** Owns how an answer reaches the client, and what its failures mean. */
import { ErrorReply } from '../api.ts'
import { CountersignError, type ErrorCode, errorCatalogue } from '../errors.ts'
import { jsonIn } from '../json/plain.ts'

/** What the client needs of an answer; a `Response` is one. */
export interface TransportReply {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
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

/** From an answer that was proven. */
export function errorOf(status: number, text: string): CountersignError {
  const reply = ErrorReply.safeParse(jsonIn(text))
  if (!reply.success)
    return new CountersignError('internal', `The gateway answered ${status} without a reason.`)
  const { type, message, next, details } = reply.data.error
  const code = type in errorCatalogue ? (type as ErrorCode) : 'internal'
  return new CountersignError(code, message, { next, ...(details ? { details } : {}) })
}
