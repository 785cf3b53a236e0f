/** Owns the calls to Discord's REST API, and what their failures mean for whoever called. */
import { jsonIn, retryAfterMs, webCall } from '../frame/web-call.ts'

export type DiscordAnswer =
  | { readonly kind: 'ok'; readonly data: unknown }
  /** Discord says why, and nothing was done. */
  | { readonly kind: 'refused'; readonly problem: string }
  /** The token is not accepted (any more). */
  | { readonly kind: 'unaccepted'; readonly problem: string }
  /** Nothing was done; it may be tried later. */
  | { readonly kind: 'later'; readonly afterMs: number | null; readonly problem: string }
  /** It may have been done. */
  | { readonly kind: 'unknown'; readonly problem: string }

export type DiscordCall = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: Readonly<Record<string, unknown>> | FormData,
) => Promise<DiscordAnswer>

const patienceMs = 30_000
const largestAnswer = 8_000_000
const userAgent = 'DiscordBot (https://countersign.example, 1.0)'

export function createDiscordCall(options: {
  readonly apiUrl: string
  readonly token: string
  readonly signal: AbortSignal
}): DiscordCall {
  const base = options.apiUrl.replace(/\/$/, '')
  return async (method, path, body) => {
    const isForm = body instanceof FormData
    const result = await webCall(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bot ${options.token}`,
        'user-agent': userAgent,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      most: largestAnswer,
      patienceMs,
      signal: options.signal,
    })
    if (result.kind === 'not-sent') return { kind: 'later', afterMs: null, problem: result.problem }
    if (result.kind === 'lost') return { kind: 'unknown', problem: result.problem }
    return judge(result.status, result.headers, result.body)
  }
}

function judge(status: number, headers: Headers, body: Uint8Array): DiscordAnswer {
  const data = jsonIn(body)
  const said = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  const reason = typeof said.message === 'string' ? said.message.slice(0, 300) : `HTTP ${status}`
  if (status === 429) {
    const { retry_after: seconds } = said
    const afterMs = typeof seconds === 'number' && seconds >= 0 ? Math.ceil(seconds * 1_000) : null
    return { kind: 'later', afterMs: afterMs ?? retryAfterMs(headers), problem: 'Discord asks to wait.' }
  }
  if (status === 401) return { kind: 'unaccepted', problem: `Discord does not accept the token: ${reason}` }
  if (status >= 300 && status < 500) return { kind: 'refused', problem: `Discord refused it: ${reason}` }
  if (status >= 500) return { kind: 'unknown', problem: `Discord answered with status ${status}.` }
  if (status !== 204 && data === undefined)
    return { kind: 'unknown', problem: 'Discord answered with no result.' }
  return { kind: 'ok', data }
}

/** Undefined where it is no id, and could be a way to somewhere else. */
export const idIn = (text: string): string | undefined => (/^\d{1,20}$/.test(text) ? text : undefined)

/** Files and lines come from Discord's own servers, or from the one that the settings name. */
export function isDiscords(address: string, apiUrl: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, host } = new URL(address)
  const api = new URL(apiUrl)
  if (host === api.host) return protocol === api.protocol
  return (
    protocol === 'https:' &&
    /(^|\.)(discord\.com|discord\.gg|discordapp\.com|discordapp\.net)$/.test(hostname)
  )
}
