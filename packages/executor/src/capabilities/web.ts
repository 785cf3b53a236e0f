/**
 * The capabilitieson the network: the one place that the permit names, with the secrets that it names. Refuses to send
 * when a secret is not kept for exactly that place.
 */
import {
  type ApprovalSubject,
  secretMark,
  secretsIn,
  type UrlResource,
  withSecrets,
} from '@countersign/contract'
import type { Failure, ToolCapabilities, WebRequest, WebResponse } from '@countersign/tools'
import type { Egress, EgressResult } from '../egress/egress.ts'
import type { PinnedParts } from '../egress/redirect.ts'
import { noSecrets, type SecretSource } from '../egress/secret-source.ts'
import { describeTarget } from '../egress/target.ts'
import { failure } from './failure.ts'

export interface WebParts {
  readonly egress: Egress
  /** Left out, a request that asks for a secret fails. */
  readonly secrets?: SecretSource
}

export function webCapabilities(
  subject: ApprovalSubject,
  { egress, secrets = noSecrets }: WebParts,
): ToolCapabilities['web'] {
  return {
    async request(request) {
      const bound = boundTo(request.url, request.method, subject)
      if (!bound) return failure('The permit names another address. Nothing was sent.')
      const filled = fill(request, bound, subject, secrets)
      if (filled.kind === 'failed') return filled
      const result = await egress.request(
        {
          method: request.method,
          url: filled.url,
          headers: filled.headers,
          body: filled.body === '' ? null : filled.body,
          // The text that a tool gives is cut long before this; the client refuses what is larger.
          maxBytes: Math.max(usualAnswerBytes, request.maxBytes),
          timeoutMs: request.timeoutMs,
          redirects: bound.redirects,
          pinned: filled.pinned,
        },
        request.signal,
      )
      if (result.kind === 'response') return responseTo(request, result, filled)
      return failure(filled.hide(endText(result)))
    },
  }
}

/** More than this comes only to a tool that asks for it, and never more than the client takes. */
const usualAnswerBytes = 5 * 1024 * 1024

function boundTo(url: string, method: string, { resources }: ApprovalSubject): UrlResource | undefined {
  const target = describeTarget(url)
  if (target.kind === 'refused') return undefined
  return resources.find(
    (resource): resource is UrlResource =>
      resource.type === 'url' &&
      resource.scheme === target.scheme &&
      resource.host === target.asciiHost &&
      resource.port === target.port &&
      resource.method === method,
  )
}

/** A request with the values in it, and how to speak of it without them. */
interface FilledRequest {
  readonly kind: 'filled'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly pinned: PinnedParts
  hide(text: string): string
}

function fill(
  { url, method, headers, body }: WebRequest,
  bound: UrlResource,
  subject: ApprovalSubject,
  secrets: SecretSource,
): FilledRequest | Failure {
  const destination = { scheme: bound.scheme, host: bound.host, port: bound.port }
  const values = new Map<string, string>()
  for (const name of secretsIn([url, ...Object.values(headers), body].join('\n'))) {
    if (!subject.secrets.includes(name))
      return failure(`The permit does not name the secret ${name}. Nothing was sent.`)
    const value = secrets.value(name, destination)
    if (value === undefined || value === '')
      return failure(
        `There is no secret ${name} for ${bound.host}. Nothing was sent. To give it one: ` +
          `countersign secret set ${name} --host ${bound.host}`,
      )
    values.set(name, value)
  }
  const put = (text: string, encode: (value: string) => string) =>
    withSecrets(text, (name) => encode(values.get(name) ?? ''))
  const filledUrl = put(url, inUrl)
  // A value can change what is asked for, but not whom.
  if (boundTo(filledUrl, method, subject) !== bound)
    return failure('A secret in the address would lead to another place. Nothing was sent.')
  const isSecret = ([, text]: readonly [string, string]) => secretsIn(text).length > 0
  return {
    kind: 'filled',
    url: filledUrl,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name, put(text, (value) => value)]),
    ),
    body: put(body, inBody(headers)),
    pinned: {
      headers: Object.entries(headers)
        .filter(isSecret)
        .map(([name]) => name),
      body: secretsIn(body).length > 0,
    },
    hide: (text) => hidden(text, values),
  }
}

const inUrl = (value: string) =>
  encodeURIComponent(value.toWellFormed()).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)

/** As a value stands within the format of the body. */
function inBody(headers: Readonly<Record<string, string>>): (value: string) => string {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (/\bjson\b/i.test(type)) return (value) => JSON.stringify(value).slice(1, -1)
  if (/x-www-form-urlencoded/i.test(type)) return inUrl
  return (value) => value
}

function hidden(text: string, values: ReadonlyMap<string, string>): string {
  let left = text
  for (const [name, value] of values)
    for (const form of [value, inUrl(value)]) left = left.replaceAll(form, secretMark(name))
  return left
}

function responseTo(
  request: WebRequest,
  result: Extract<EgressResult, { kind: 'response' }>,
  { hide }: FilledRequest,
): WebResponse {
  const body = result.body.subarray(0, request.maxBytes)
  return {
    kind: 'response',
    url: result.hops === 0 ? request.url : hide(result.url),
    status: result.status,
    headers: Object.entries(result.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    body,
    truncated: body.length < result.body.length,
  }
}

function endText(result: Exclude<EgressResult, { kind: 'response' }>): string {
  switch (result.kind) {
    case 'refused': {
      const why = [result.reason, result.detail].filter(Boolean).join(', ')
      return `Refused, nothing was sent: ${why}.`
    }
    case 'failed':
      return `${result.message} ${sentText(result.sent)}`
    default:
      return `${result.kind === 'timeout' ? 'No answer in time.' : 'Cancelled.'} ${sentText(result.sent)}`
  }
}

function sentText(sent: boolean): string {
  return sent ? 'The other side may have received the request.' : 'Nothing was sent.'
}
