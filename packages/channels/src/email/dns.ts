/**
 * Owns what is asked of the DNS about e-mails: texts of public names, within bounds of time, number and size. Whoever
 * wrote an e-mail chose the names.
 */
import { Resolver } from 'node:dns/promises'

/** Rejects with `ENODATA` where the name has none, and with anything else where nobody could say. */
export type DnsRecords = (name: string, type: string) => Promise<readonly (readonly string[])[]>

const bounds = { records: 50, bytes: 16_000 }

/** Of the servers of this computer, or of one that the operator named: one that checks DNSSEC, say. */
export function recordsFrom(server?: string): DnsRecords {
  return async (name, type) => {
    if (type !== 'TXT') throw absent()
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (server !== undefined) resolver.setServers([server])
    const records = await resolver.resolveTxt(name)
    const size = records.flat().reduce((sum, { length }) => sum + length, 0)
    if (records.length > bounds.records || size > bounds.bytes) throw new Error('The answer is too large.')
    return records
  }
}

export function absent(): Error {
  return Object.assign(new Error('There is no such record.'), { code: 'ENODATA' })
}

/** For one e-mail: at most so many names, each asked once, and none of a local network. */
export function boundedRecords(records: DnsRecords, most: number): DnsRecords {
  const asked = new Map<string, ReturnType<DnsRecords>>()
  return async (name, type) => {
    const key = `${type} ${name.toLowerCase()}`
    const before = asked.get(key)
    if (before) return before
    if (asked.size >= most || !isPublicName(name.toLowerCase()))
      throw new Error('This name is not asked for.')
    const answer = records(name.toLowerCase(), type)
    asked.set(key, answer)
    return answer
  }
}

/** Kept for networks of one's own; a stranger has no business having them asked for. */
const localEndings = new Set([
  'local',
  'localhost',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'onion',
])

export function isPublicName(name: string): boolean {
  if (name.length > 253 || !/^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/.test(name))
    return false
  const [end = '', next = ''] = name.split('.').toReversed()
  return !/^\d+$/.test(end) && !localEndings.has(end) && `${next}.${end}` !== 'home.arpa'
}
