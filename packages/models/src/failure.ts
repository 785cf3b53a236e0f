/** Names what went wrong with a model call. Its sentences are its own: no error text of fetch or of the SDK passes, and a provider's words only when they do not repeat the key. */

import type { ModelFailure } from '@countersign/agent'

export interface FailureFacts {
  /** Whether a successful response head had arrived. */
  readonly replyBegan: boolean
  readonly apiKey: string | undefined
}

const LONGEST_QUOTE = 300
const LONGEST_CHAIN = 8

const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

export function failureOf(error: unknown, facts: FailureFacts): ModelFailure {
  const fields = fieldsOf(error)
  const status = fields['statusCode']
  if (typeof status === 'number' && (status < 200 || status > 299))
    return statusFailure(status, fields, facts)

  const code = connectionCodeOf(error)
  const replyBegan = facts.replyBegan || status !== undefined
  if (code !== undefined) {
    if (TIMEOUT_CODES.has(code))
      return { kind: 'timeout', message: `The model provider was silent (${code}).` }
    return replyBegan
      ? truncated(`The connection broke inside the reply (${code}).`)
      : { kind: 'network', message: `The model provider could not be reached (${code}).` }
  }
  const named = namedFailure(fields)
  if (named !== undefined)
    return { kind: named, message: quoting('The provider ended the reply', fields, facts) }
  return { kind: 'unknown', message: 'The model provider sent something that is not the protocol.' }
}

export function truncated(message: string): ModelFailure {
  return { kind: 'truncated', message }
}

function statusFailure(
  status: number,
  fields: Readonly<Record<string, unknown>>,
  facts: FailureFacts,
): ModelFailure {
  const wait = retryAfterOf(fieldsOf(fields['responseHeaders']))
  const retry = wait === undefined ? {} : { retryAfterMs: wait }
  if (status === 401 || status === 403) {
    return { kind: 'key', message: `The model provider refused the API key (status ${status}).` }
  }
  if (status === 408) return { kind: 'timeout', message: 'The model provider gave up waiting (status 408).' }
  if (status === 429) {
    return {
      kind: 'rate_limited',
      message: quoting('The model provider limits the rate (status 429)', fields, facts),
      ...retry,
    }
  }
  if (status >= 500) {
    return {
      kind: 'unavailable',
      message: quoting(`The model provider failed (status ${status})`, fields, facts),
      ...retry,
    }
  }
  if (status < 400) {
    return {
      kind: 'invalid',
      message: `The model provider redirects (status ${status}); configure the final address.`,
    }
  }
  return {
    kind: 'invalid',
    message: quoting(`The model provider refused the request (status ${status})`, fields, facts),
  }
}

/** An error event inside a stream carries a type instead of a status. */
function namedFailure(fields: Readonly<Record<string, unknown>>): ModelFailure['kind'] | undefined {
  const name = [fields['type'], fields['code']]
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(' ')
  if (/rate_limit|insufficient_quota|\b429\b/.test(name)) return 'rate_limited'
  if (/overload|server_error|api_error|unavailable|\b5\d\d\b/.test(name)) return 'unavailable'
  if (/authentication|permission|\b40[13]\b/.test(name)) return 'key'
  if (/invalid_request|context_length|not_found|\b4\d\d\b/.test(name)) return 'invalid'
  return undefined
}

function quoting(sentence: string, fields: Readonly<Record<string, unknown>>, facts: FailureFacts): string {
  const words = typeof fields['message'] === 'string' ? fields['message'].trim() : ''
  const repeatsKey = facts.apiKey !== undefined && facts.apiKey !== '' && words.includes(facts.apiKey)
  if (words === '' || repeatsKey) return `${sentence}.`
  return `${sentence}: ${words.replace(/\s+/g, ' ').slice(0, LONGEST_QUOTE)}`
}

/** Code of the first cause that has one; a failed fetch without any is still a failed connection. */
function connectionCodeOf(error: unknown): string | undefined {
  let current = error
  let failedFetch = false
  for (let depth = 0; depth < LONGEST_CHAIN && current instanceof Error; depth += 1) {
    const { code } = current as { code?: unknown }
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code
    if (current.message === 'fetch failed' || current.message === 'terminated') failedFetch = true
    current = current.cause
  }
  return failedFetch ? 'connection failed' : undefined
}

function retryAfterOf(headers: Readonly<Record<string, unknown>>): number | undefined {
  const milliseconds = numberOf(headers['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds
  const seconds = numberOf(headers['retry-after'])
  if (seconds !== undefined) return Math.ceil(seconds * 1000)
  // A date is compared with the server's own clock, which its response states.
  const wait = Date.parse(String(headers['retry-after'])) - Date.parse(String(headers['date']))
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
