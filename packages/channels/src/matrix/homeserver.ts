/** Owns requests to the homeserver with the access token, and what its answers mean. */
import { z } from 'zod'
import { jsonIn, retryAfterMs, webCall } from '../frame/web-call.ts'

export type Answer =
  | { readonly kind: 'done'; readonly body: unknown }
  | {
      readonly kind: 'refused'
      readonly status: number
      /** M_FORBIDDEN and so on. */
      readonly code: string
      readonly problem: string
      readonly retryMs: number | null
    }
  /** No connection was made. */
  | { readonly kind: 'not-sent'; readonly problem: string }
  /** It may have arrived. */
  | { readonly kind: 'lost'; readonly problem: string }

export interface Ask {
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON; bytes as they are. */
  readonly body?: unknown
  readonly mediaType?: string
  readonly patienceMs?: number
  readonly most?: number
  /** The answer is bytes. */
  readonly raw?: boolean
}

export interface Homeserver {
  /** Never rejects. The parts of the path are made safe here. */
  ask(method: 'GET' | 'POST' | 'PUT', path: readonly string[], ask?: Ask): Promise<Answer>
}

const Problem = z.object({
  errcode: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  retry_after_ms: z.number().min(0).max(86_400_000).optional().catch(undefined),
})

const patienceMs = 60_000
/** A first sync of many rooms is long. */
const most = 50_000_000

export function createHomeserver(address: string, accessToken: string, signal: AbortSignal): Homeserver {
  const base = address.replace(/\/+$/, '')
  return {
    async ask(method, path, { query, body, mediaType = 'application/json', raw = false, ...bounds } = {}) {
      const parts = path.map((part) => encodeURIComponent(part.toWellFormed())).join('/')
      const search = query ? `?${new URLSearchParams(query).toString()}` : ''
      const called = await webCall(`${base}/_matrix/${parts}${search}`, {
        method,
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': mediaType },
        ...(body === undefined ? {} : { body: bodyOf(body) }),
        most: bounds.most ?? most,
        patienceMs: bounds.patienceMs ?? patienceMs,
        signal,
      })
      if (called.kind !== 'answered') return called
      if (called.status >= 200 && called.status < 300)
        return { kind: 'done', body: raw ? called.body : jsonIn(called.body) }
      const read = Problem.safeParse(jsonIn(called.body))
      const { errcode = '', error = '', retry_after_ms = null } = read.success ? read.data : {}
      return {
        kind: 'refused',
        status: called.status,
        code: errcode.slice(0, 100),
        problem: `The homeserver answered ${called.status} ${errcode} ${error}`.trim().slice(0, 900),
        retryMs: retry_after_ms ?? retryAfterMs(called.headers),
      }
    },
  }
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

/** For what cannot go on without an answer. */
export function doneOr(answer: Answer): unknown {
  if (answer.kind !== 'done') throw new Error(answer.problem)
  return answer.body
}
