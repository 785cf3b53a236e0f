/** Says whether a host, as an address names it, can be one of the public internet. Looks nothing up. */
import { addressClass } from './address.ts'

/** Names that mean this host or the network around it. */
const near: readonly string[] = ['localhost', 'local', 'internal', 'home.arpa']

export function isPublicHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  const kind = addressClass(bare)
  if (kind !== 'invalid') return kind === 'public'
  // A name without a dot is found only around here, and what is no name is no host.
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(bare) || /\.\d+$/.test(bare)) return false
  return !near.some((name) => bare.endsWith(`.${name}`))
}
