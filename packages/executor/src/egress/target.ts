/** Reads a URL strictly and says where it leads. Pure. Refuses a spelling that two readers could take differently. */

import { isIP } from 'node:net'
import { type AddressClass, addressClass } from './address.ts'

export type TargetRefusal =
  | 'not-a-url'
  | 'control-byte'
  | 'scheme'
  | 'credentials'
  | 'ambiguous-host'
  | 'empty-host'
  | 'bad-port'

export interface Target {
  readonly kind: 'target'
  readonly scheme: 'http' | 'https'
  readonly asciiHost: string
  readonly port: number
  /** Only where the host is an address and not a name. */
  readonly ipClass?: AddressClass
  readonly origin: string
  /** Path and query as they go on the wire. */
  readonly path: string
}

export type TargetReading = Target | { readonly kind: 'refused'; readonly reason: TargetRefusal }

export function describeTarget(url: string): TargetReading {
  if (hasControlByte(url) || /[\s\\]/u.test(url)) return refused('control-byte')
  const match = /^(https?):\/\/([^/?#]+)/i.exec(url)
  if (match === null) return refused(/^https?:/i.test(url) ? 'empty-host' : 'scheme')
  const authority = match[2] ?? ''
  if (authority.includes('@')) return refused('credentials')
  if (authority.includes('%')) return refused('ambiguous-host')
  const parsed = URL.parse(url)
  if (parsed === null) return refused('not-a-url')
  if (parsed.username !== '' || parsed.password !== '') return refused('credentials')
  const scheme = parsed.protocol === 'https:' ? 'https' : parsed.protocol === 'http:' ? 'http' : null
  if (scheme === null) return refused('scheme')
  const asciiHost = parsed.hostname.replace(/^\[|\]$/g, '')
  if (asciiHost === '') return refused('empty-host')
  const written = authority
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
  const isLiteral = isIP(asciiHost) !== 0
  if (!isLiteral && !isName(asciiHost)) return refused('ambiguous-host')
  // 0x7f.1 and 2130706433 are one address to a browser and a name to others.
  if (isIP(asciiHost) === 4 && written !== asciiHost) return refused('ambiguous-host')
  const port = parsed.port === '' ? (scheme === 'https' ? 443 : 80) : Number(parsed.port)
  if (port === 0) return refused('bad-port')
  const path = parsed.pathname + parsed.search
  const target = { kind: 'target', scheme, asciiHost, port, origin: parsed.origin, path } as const
  return isLiteral ? { ...target, ipClass: addressClass(asciiHost) } : target
}

function refused(reason: TargetRefusal): TargetReading {
  return { kind: 'refused', reason }
}

function hasControlByte(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true
  }
  return false
}

/** Labels of letters, digits, hyphens and underscores; the last one is not a number, in any base. */
function isName(host: string): boolean {
  if (host.length > 253 || !/^[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$/.test(host))
    return false
  return !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)
}
