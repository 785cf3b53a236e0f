/**
 * Asks the resolver of this computer for records of public names: what a domain says about itself, never where to
 * connect. Refuses names that belong to a local network, and everything that is not a plain name.
 */
import { Resolver } from 'node:dns/promises'
import type { DnsAnswer, DnsQuestion } from '@countersign/tools'

/** Resolves even on failure. */
export type DnsRecords = (question: DnsQuestion) => Promise<DnsAnswer>

const absent = new Set(['ENOTFOUND', 'ENODATA'])
const bounds = { records: 50, bytes: 16_000 }

export function systemRecords(): DnsRecords {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (question) => {
    if (!isPublicName(question.name)) return { ...question, kind: 'failed' }
    try {
      const records = (await resolver.resolve(question.name, question.type)) as (string | string[])[]
      if (records.length > bounds.records || JSON.stringify(records).length > bounds.bytes)
        return { ...question, kind: 'failed' }
      return { ...question, kind: 'records', records }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return { ...question, kind: code !== undefined && absent.has(code) ? 'none' : 'failed' }
    }
  }
}

/** Kept for networks of one's own; a stranger has no business having them asked for. */
const localEndings = ['local', 'localhost', 'internal', 'intranet', 'lan', 'home', 'corp', 'private', 'onion']

export function isPublicName(name: string): boolean {
  if (name.length > 253 || !/^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/.test(name))
    return false
  const [end = '', next = ''] = name.split('.').toReversed()
  return !/^\d+$/.test(end) && !localEndings.includes(end) && `${next}.${end}` !== 'home.arpa'
}
