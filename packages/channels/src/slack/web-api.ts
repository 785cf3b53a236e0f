/** Owns the calls to Slack's Web API, and what their failures mean for whoever called. */
import { jsonIn, retryAfterMs, webCall } from '../frame/web-call.ts'

export type SlackAnswer =
  | { readonly kind: 'ok'; readonly data: Readonly<Record<string, unknown>> }
  /** Slack says why, and nothing was done. */
  | { readonly kind: 'refused'; readonly error: string }
  /** The token is not accepted (any more). */
  | { readonly kind: 'unaccepted'; readonly error: string }
  /** Nothing was done; it may be tried later. */
  | { readonly kind: 'later'; readonly afterMs: number | null; readonly problem: string }
  /** It may have been done. */
  | { readonly kind: 'unknown'; readonly problem: string }

export type SlackCall = (
  method: string,
  args: Readonly<Record<string, string | undefined>>,
) => Promise<SlackAnswer>

export interface SlackApi {
  readonly asBot: SlackCall
  readonly asApp: SlackCall
}

const patienceMs = 30_000
const largestAnswer = 8_000_000

const tokenErrors = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'org_login_required',
  'access_denied',
  'two_factor_setup_required',
])
const notNow = new Set(['ratelimited', 'rate_limited', 'request_timeout', 'team_added_to_org'])
/** Slack says of these that some part of it may have been done. */
const perhapsDone = new Set(['fatal_error', 'internal_error', 'service_unavailable'])

export function createSlackApi(options: {
  readonly apiUrl: string
  readonly botToken: string
  readonly appToken: string
  readonly signal: AbortSignal
}): SlackApi {
  const base = options.apiUrl.endsWith('/') ? options.apiUrl : `${options.apiUrl}/`

  const as =
    (token: string): SlackCall =>
    async (method, args) => {
      const form = new URLSearchParams()
      for (const [name, value] of Object.entries(args)) if (value !== undefined) form.set(name, value)
      const result = await webCall(`${base}${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
        most: largestAnswer,
        patienceMs,
        signal: options.signal,
      })
      if (result.kind === 'not-sent') return { kind: 'later', afterMs: null, problem: result.problem }
      if (result.kind === 'lost') return { kind: 'unknown', problem: result.problem }
      return judge(result.status, result.headers, jsonIn(result.body))
    }

  return { asBot: as(options.botToken), asApp: as(options.appToken) }
}

function judge(status: number, headers: Headers, body: unknown): SlackAnswer {
  if (status === 429) return { kind: 'later', afterMs: retryAfterMs(headers), problem: 'Slack asks to wait.' }
  if (status === 401) return { kind: 'unaccepted', error: 'invalid_auth' }
  if (status >= 300 && status < 500) return { kind: 'refused', error: `HTTP ${status}` }
  const data = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  if (status >= 500 || !data || typeof data.ok !== 'boolean')
    return { kind: 'unknown', problem: `Slack answered with status ${status} and no result.` }
  if (data.ok) return { kind: 'ok', data }
  const error = typeof data.error === 'string' ? data.error.slice(0, 200) : 'unknown_error'
  if (tokenErrors.has(error)) return { kind: 'unaccepted', error }
  if (notNow.has(error))
    return { kind: 'later', afterMs: retryAfterMs(headers), problem: `Slack says: ${error}.` }
  if (perhapsDone.has(error)) return { kind: 'unknown', problem: `Slack says: ${error}.` }
  return { kind: 'refused', error }
}

/** Tokens and files go to Slack's own servers, or to those of the domain that the settings name. */
export function isSlacks(address: string, apiUrl: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, host } = new URL(address)
  const api = new URL(apiUrl)
  if (host === api.host) return protocol === api.protocol
  const isIn = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)
  return protocol === 'https:' && (isIn('slack.com') || isIn(api.hostname))
}
