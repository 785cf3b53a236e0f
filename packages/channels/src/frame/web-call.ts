/**
 * Owns one request to a platform: bounded in time and size, never led elsewhere, and truthful about whether it can have
 * arrived. It never rejects.
 */

export type WebCallResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Headers
      readonly body: Uint8Array
    }
  /** No connection was made. */
  | { readonly kind: 'not-sent'; readonly problem: string }
  /** It may have arrived. */
  | { readonly kind: 'lost'; readonly problem: string }

export interface WebCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams
  /** How large the answer may be, in bytes. */
  readonly most: number
  readonly patienceMs: number
  readonly signal: AbortSignal
}

/** Where the name, the way or the handshake failed, nothing was said yet. */
const beforeItWasSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

export async function webCall(url: string, call: WebCall): Promise<WebCallResult> {
  if (call.signal.aborted) return { kind: 'not-sent', problem: 'The channel is ending.' }
  try {
    const response = await fetch(url, {
      method: call.method,
      headers: { ...call.headers },
      redirect: 'manual',
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(call.patienceMs)]),
      ...(call.body === undefined ? {} : { body: call.body }),
    })
    const body = await readBounded(response, call.most)
    if (!body) return { kind: 'lost', problem: `The answer is larger than ${call.most} bytes.` }
    return { kind: 'answered', status: response.status, headers: response.headers, body }
  } catch (error) {
    const closed = closedProxy(error)
    if (closed !== undefined) return { kind: 'not-sent', problem: closed }
    const problem = problemOf(error)
    return { kind: beforeItWasSent.has(codeOf(error)) ? 'not-sent' : 'lost', problem }
  }
}

/** Undefined where it is no JSON. */
export function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** How long an answer asks to wait; null where it does not say. */
export function retryAfterMs(headers: Headers): number | null {
  const seconds = Number.parseFloat(headers.get('retry-after') ?? '')
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(Math.ceil(seconds * 1_000), 86_400_000) : null
}

async function readBounded(response: Response, most: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.byteLength
    // Leaving the loop ends the connection.
    if (size > most) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** What the proxy of a sandbox says where it makes no connection: nothing went to the platform yet. */
function closedProxy(error: unknown): string | undefined {
  const { cause: cancelled } = error instanceof Error ? error : {}
  const { cause } = cancelled instanceof Error ? cancelled : {}
  const status =
    cause instanceof Error ? /^Proxy response \((\d+)\) !== 200/.exec(cause.message)?.[1] : undefined
  return (
    status &&
    `No connection is made there (the proxy answered ${status}). A plugin reaches only the hosts that it was given.`
  )
}

function codeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : ''
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return `${error.message}: ${cause.message === '' ? codeOf(error) : cause.message}`.slice(0, 900)
}
