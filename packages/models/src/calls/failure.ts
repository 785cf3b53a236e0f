/** Names what went wrong with a model call. Its sentences are its own: no error text of fetch or of the SDK passes, and a provider's words only when they do not repeat the key. */

import type { ModelFailure } from '@countersign/agent'

export interface FailureFacts {
  /** Whether a successful response head had arrived. */
  readonly replyBegan: boolean
  readonly apiKey: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

const LONGEST_QUOTE = 300
const LONGEST_BODY = 20_000
const LONGEST_WAIT_MS = 24 * 60 * 60_000
const LONGEST_CHAIN = 8

const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** Travels through the SDK as an error and says itself what went wrong. */
export class BodyFault extends Error {
  readonly failure: ModelFailure
  /** What the provider said, if it said something. */
  readonly words: string | undefined

  constructor(failure: ModelFailure, words?: string) {
    super(failure.message)
    this.failure = failure
    this.words = words
  }
}

/** The request was refused as wrong, and the provider named the temperature. */
export function refusesTemperature(error: unknown): boolean {
  const { statusCode, responseBody } = fieldsOf(error)
  return (
    (statusCode === 400 || statusCode === 422) &&
    typeof responseBody === 'string' &&
    /temperature/i.test(responseBody.slice(0, LONGEST_BODY))
  )
}

export function failureOf(error: unknown, facts: FailureFacts): ModelFailure {
  const fault = causesOf(error).find((cause) => cause instanceof BodyFault)
  if (fault?.words !== undefined) return eventFailure({ message: fault.words }, facts)
  if (fault) return fault.failure
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
      ? truncated(`The connection was lost during the reply (${code}).`)
      : { kind: 'network', message: `The model provider could not be reached (${code}).` }
  }
  const causes = causesOf(error)
  // A frame of Bedrock's that did not come to its end has no code and no name of its own.
  if (causes.some(({ name, message }) => name === 'AI_JSONParseError' || isCutFrame(message)))
    return truncated('A piece of the reply could not be read.')
  return eventFailure(fields, facts)
}

/** An error event inside a stream carries a name instead of a status. */
function eventFailure(fields: Fields, facts: FailureFacts): ModelFailure {
  if (isOutOfCredit(fields)) return outOfCredit
  const kind = namedFailure(fields)
  if (kind === undefined && isWords(fields['message']) && !(fields instanceof Error))
    return { kind: 'unavailable', message: quoting('The provider ended the reply', fields, facts) }
  if (kind === undefined)
    return { kind: 'unknown', message: 'The answer of the model provider does not follow the protocol.' }
  const wait = kind === 'rate_limited' ? askedDelayOf(fields) : undefined
  return {
    kind,
    message: quoting('The provider ended the reply', fields, facts),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
}

const isCutFrame = (message: unknown): boolean =>
  typeof message === 'string' && message.startsWith('Incomplete Amazon Bedrock event-stream frame')

export function truncated(message: string): ModelFailure {
  return { kind: 'truncated', message }
}

const outOfCredit: ModelFailure = {
  kind: 'key',
  message: 'The account at the provider has no credit left: top it up, or choose another provider.',
}

function statusFailure(status: number, fields: Fields, facts: FailureFacts): ModelFailure {
  if (status === 402 || isOutOfCredit(fields)) return outOfCredit
  const wait =
    retryAfterOf(fieldsOf(fields['responseHeaders'])) ??
    askedDelayOf(fields) ??
    (status === 429 ? resetOf(fieldsOf(fields['responseHeaders'])) : undefined)
  const retry = wait === undefined ? {} : { retryAfterMs: wait }
  if (status === 401 || status === 403 || isWrongKey(fields)) {
    return { kind: 'key', message: `The model provider refused the API key (status ${status}).` }
  }
  if (status === 408) return { kind: 'timeout', message: 'The model provider timed out (status 408).' }
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

function namedFailure(fields: Fields): ModelFailure['kind'] | undefined {
  const name = namesIn(fields)
  if (/rate_?limit|too_many_requests|resource_exhausted|\b429\b/.test(name)) return 'rate_limited'
  if (/timeout|deadline_exceeded|\b408\b|\b504\b/.test(name)) return 'timeout'
  if (/overload|server_error|api_error|unavailable|internal|capacity|\b5\d\d\b/.test(name))
    return 'unavailable'
  if (/authenticat|permission|invalid_api_key|\b40[13]\b/.test(name)) return 'key'
  if (/invalid_request|invalid_argument|failed_precondition|context_length|not_found|\b4\d\d\b/.test(name))
    return 'invalid'
  return undefined
}

/** Google calls it a status, the others a type or a code. */
function namesIn(fields: Fields): string {
  return [fields['type'], fields['code'], fields['status']]
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(' ')
    .toLowerCase()
}

/** Waiting does not help against an empty account, whatever status it comes with. */
function isOutOfCredit(fields: Fields): boolean {
  const words = `${namesIn(fields)} ${String(fields['message'])} ${bodyOf(fields)}`
  return /insufficient_quota|billing_hard_limit|credit balance|insufficient (credit|balance|funds)/i.test(
    words,
  )
}

/** Google and xAI take a wrong key for a bad request. */
function isWrongKey(fields: Fields): boolean {
  return /API_KEY_INVALID|(incorrect|invalid) api key/i.test(bodyOf(fields))
}

/** As much of the provider's answer as its words and numbers are looked for in. */
function bodyOf(fields: Fields): string {
  const { responseBody, data, details } = fields
  const body = typeof responseBody === 'string' ? responseBody : JSON.stringify(data ?? details ?? '')
  return body.slice(0, LONGEST_BODY)
}

function quoting(sentence: string, fields: Fields, facts: FailureFacts): string {
  const words = isWords(fields['message']) ? fields['message'].replace(/[\p{Cc}\s]+/gu, ' ').trim() : ''
  const repeatsKey = facts.apiKey !== undefined && facts.apiKey !== '' && words.includes(facts.apiKey)
  if (words === '' || repeatsKey) return `${sentence}.`
  return `${sentence}: ${words.slice(0, LONGEST_QUOTE)}`
}

/** Code of the first cause that has one; a failed fetch without any is still a failed connection. */
function connectionCodeOf(error: unknown): string | undefined {
  const causes = causesOf(error)
  for (const cause of causes) {
    const { code } = cause as { code?: unknown }
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code
  }
  const failedFetch = causes.some(({ message }) => message === 'fetch failed' || message === 'terminated')
  return failedFetch ? 'connection failed' : undefined
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = []
  for (
    let current = error;
    current instanceof Error && causes.length < LONGEST_CHAIN;
    current = current.cause
  )
    causes.push(current)
  return causes
}

function retryAfterOf(headers: Fields): number | undefined {
  const milliseconds = numberOf(headers['retry-after-ms'])
  if (milliseconds !== undefined) return waitOf(milliseconds)
  const seconds = numberOf(headers['retry-after'])
  if (seconds !== undefined) return waitOf(seconds * 1000)
  // A date is compared with the server's own clock, which its response states.
  const wait = Date.parse(String(headers['retry-after'])) - Date.parse(String(headers['date']))
  return Number.isNaN(wait) ? undefined : waitOf(wait)
}

/** Google says in the body how long to wait. */
function askedDelayOf(fields: Fields): number | undefined {
  const seconds = /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(bodyOf(fields))?.[1]
  return seconds === undefined ? undefined : waitOf(Number(seconds) * 1000)
}

/** When the limits that are used up are renewed; where none says so, the first of all that are named. */
function resetOf(headers: Fields): number | undefined {
  const resets = ['requests', 'tokens'].flatMap((what) => {
    const wait = spanOf(headers[`x-ratelimit-reset-${what}`])
    return wait === undefined ? [] : [{ wait, isUsedUp: headers[`x-ratelimit-remaining-${what}`] === '0' }]
  })
  if (resets.length === 0) return undefined
  const usedUp = resets.filter((reset) => reset.isUsedUp)
  return waitOf(
    usedUp.length > 0
      ? Math.max(...usedUp.map(({ wait }) => wait))
      : Math.min(...resets.map(({ wait }) => wait)),
  )
}

const SPANS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Such as `6m0s` or `120ms`. */
function spanOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^(\d{1,9}(\.\d{1,9})?(ms|s|m|h|d))+$/.test(value)) return undefined
  let sum = 0
  for (const [, amount, unit] of value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g))
    sum += Number(amount) * (SPANS[unit ?? ''] ?? 0)
  return sum
}

function waitOf(milliseconds: number): number {
  return Math.min(Math.max(0, Math.ceil(milliseconds)), LONGEST_WAIT_MS)
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
