/**
 * Says whether a redirect may be followed without a new decision, and with what. Pure. Leaves every other one to
 * whoever decides, since another host is another destination.
 */
import type { UrlResource } from '@countersign/contract'
import { describeTarget, type Target } from './target.ts'

/** A request as it goes to one place. */
export interface Hop {
  readonly url: string
  readonly target: Target
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string | null
}

/** What may go to no other scheme or port than the first. */
export interface PinnedParts {
  /** Names of headers, besides those that always carry credentials. */
  readonly headers: readonly string[]
  readonly body: boolean
}

export interface RedirectRule {
  readonly rule: UrlResource['redirects']
  /** Where the permit leads. */
  readonly first: Target
  readonly pinned: PinnedParts
}

export const mostHops = 5

/** The address in a redirect, absolute. */
export function locationOf(
  status: number,
  headers: Readonly<Record<string, string | string[]>>,
  base: string,
): string | null {
  const location = headers['location']
  if (status < 300 || status > 399 || typeof location !== 'string') return null
  return URL.parse(location, base)?.href ?? null
}

/** The request that a redirect asks for, or nothing if it has to be decided about. */
export function nextHop(hop: Hop, status: number, location: string, following: RedirectRule): Hop | null {
  const { rule, first, pinned } = following
  if (rule !== 'same-host' || !followed.has(status)) return null
  const target = describeTarget(location)
  if (target.kind === 'refused' || target.asciiHost !== first.asciiHost) return null
  if (hop.target.scheme === 'https' && target.scheme === 'http') return null
  if (target.port !== first.port && target.port !== defaultPort[target.scheme]) return null
  const isMoved = target.scheme !== first.scheme || target.port !== first.port
  const isRewritten = becomesGet(status, hop.method)
  if (isMoved && pinned.body && hop.body !== null && !isRewritten) return null
  const pinnedNames = pinned.headers.map((name) => name.toLowerCase())
  const isKept = (name: string) =>
    !(isMoved && (credential.test(name) || pinnedNames.includes(name))) &&
    !(isRewritten && name.startsWith('content-'))
  return {
    url: location,
    target,
    method: isRewritten ? 'GET' : hop.method,
    headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => isKept(name.toLowerCase()))),
    body: isRewritten ? null : hop.body,
  }
}

const followed = new Set([301, 302, 303, 307, 308])
const defaultPort = { http: 80, https: 443 } as const
/** Names of headers that prove who asks. */
const credential = /auth|cookie|token|secret|session|password|(^|-)key/

/** As browsers do it. */
function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}
