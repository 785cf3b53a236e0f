/**
 * Owns the way of one request to the server of a calendar account: its own place and no other, with the password that is
 * kept for it. What it answers is taken apart in the sandbox.
 */
import { Buffer } from 'node:buffer'
import { type CalendarAccount, calendarDestination } from '@countersign/contract'
import type { Failure } from '@countersign/tools'
import type { DocumentPrograms } from '../documents/document-programs.ts'
import type { Egress } from '../egress/egress.ts'

export interface ServerSession {
  readonly account: CalendarAccount
  readonly documents: DocumentPrograms
  readonly signal: AbortSignal
  ask(request: ServerRequest): Promise<ServerAnswer | ServerFailure>
}

export interface ServerRequest {
  readonly method: 'PROPFIND' | 'REPORT' | 'GET' | 'PUT' | 'DELETE'
  readonly href: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface ServerAnswer {
  readonly kind: 'answer'
  readonly status: number
  readonly etag: string | null
  readonly body: Uint8Array
}

/** Of a body that is too large or cannot be unpacked: a smaller question may be answered. */
export interface ServerFailure extends Failure {
  readonly isBody?: boolean
}

export interface ServerParts {
  readonly account: CalendarAccount
  readonly password: string
  readonly egress: Egress
  readonly documents: DocumentPrograms
  readonly signal: AbortSignal
}

const maxAnswerBytes = 12 * 1024 * 1024
const timeoutMs = 30_000
const mostRedirects = 3

export function openSession(parts: ServerParts): ServerSession {
  const { account, documents, signal } = parts
  return {
    account,
    documents,
    signal,
    ask: (request) => ask(request, parts, mostRedirects),
  }
}

/** The address of an entry as the server names it, if it is at the account's own place. */
export function placeAt(account: CalendarAccount, href: string): string | undefined {
  const url = URL.parse(href, account.url)
  if (!url || url.hash !== '' || url.username !== '' || url.password !== '') return undefined
  const own = URL.parse(account.url)
  return own && url.origin === own.origin && url.href.length <= 1_500 ? url.href : undefined
}

async function ask(
  { method, href, headers = {}, body }: ServerRequest,
  parts: ServerParts,
  redirects: number,
): Promise<ServerAnswer | ServerFailure> {
  const { account, password, egress, signal } = parts
  const url = placeAt(account, href)
  if (url === undefined) return failed(`${account.name} names an entry at another server. Nothing was sent.`)
  const result = await egress.request(
    {
      method,
      url,
      headers: {
        ...headers,
        authorization: `Basic ${Buffer.from(`${account.user}:${password}`).toString('base64')}`,
      },
      body: body ?? null,
      maxBytes: maxAnswerBytes,
      timeoutMs,
      redirects: 'refused',
    },
    signal,
  )
  if (result.kind === 'refused')
    return failed(
      `${hostOf(account)} is refused (${[result.reason, result.detail].filter(Boolean).join(', ')}). If it is yours, name it under localTargets in the configuration.`,
    )
  if (result.kind !== 'response') {
    const why = result.kind === 'failed' ? result.message : result.kind
    const isBody = result.kind === 'failed' && ['too-large', 'ratio', 'encoding'].includes(result.reason)
    const failure = failed(`${hostOf(account)} did not answer: ${why}.`)
    return isBody ? { ...failure, isBody } : failure
  }
  if (result.location !== null && (method === 'PROPFIND' || method === 'REPORT') && redirects > 0)
    return ask(
      { method, href: result.location, headers, ...(body === undefined ? {} : { body }) },
      parts,
      redirects - 1,
    )
  if (result.status === 401)
    return failed(
      `${hostOf(account)} does not take the user or the password of ${account.name}. Set it again with \`countersign calendar-account add ${account.name}\`.`,
    )
  const etag = result.headers['etag']
  return {
    kind: 'answer',
    status: result.status,
    etag: typeof etag === 'string' && etag.length <= 300 ? etag : null,
    body: result.body,
  }
}

export function hostOf({ url }: CalendarAccount): string {
  return calendarDestination(url)?.host ?? url
}

export function failed(reason: string): Failure {
  return { kind: 'failed', reason: reason.slice(0, 500) }
}
