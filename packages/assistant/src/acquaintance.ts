/**
 * Owns what the house knows of the hosts that a call reaches: whether the operator named them before, and whether what
 * would leave was written by somebody else, to the byte. Reads only what the house itself recorded; doubt says no.
 */
import type { JsonValue } from '@countersign/contract'
import type { Acquainted, Db } from '@countersign/kernel'
import { sql } from 'kysely'
import type { House } from './hand.ts'

const unknown = { verbatim: false, named: false }
const methods = new Set(['GET', 'HEAD'])
/** How far back a decision counts, and how many are looked at. */
const mostDecisions = 1_000

export function createAcquainted({ records }: House): Acquainted {
  return async ({ circumstances: { operator, session, requester }, args, hosts }) => {
    if (requester.kind !== 'operator') return unknown
    return records.read(operator, async ({ db }) => {
      const typed = await db
        .selectFrom('inputs')
        .select('text')
        .where('session_id', '=', session)
        .where('label', 'is', null)
        .where(sql<string>`requester ->> 'kind'`, '=', 'operator')
        .orderBy('position', 'desc')
        .limit(100)
        .execute()
      const words = typed.map(({ text }) => text)
      const known = new Set([
        ...words.flatMap(hostsIn),
        ...(await keptHosts(db)),
        ...(await approvedHosts(db)),
      ])
      return {
        named: hosts.every((host) => known.has(host)),
        verbatim: await isVerbatim(db, session, args, words),
      }
    })
  }
}

/** Every text of the arguments stands in words of the operator, or in what a tool brought that was not asked for it. */
async function isVerbatim(
  db: Db,
  session: Parameters<Acquainted>[0]['circumstances']['session'],
  args: string,
  words: readonly string[],
): Promise<boolean> {
  const texts = textsIn(JSON.parse(args) as JsonValue).filter((text) => !methods.has(text))
  if (texts.length === 0) return false
  for (const text of texts) {
    if (words.some((said) => holds(said, text))) continue
    // A query is how pages are told and made to act; only the operator may write one.
    if (text.includes('?')) return false
    const found = await db
      .selectFrom('calls')
      .select('result_text')
      .where('session_id', '=', session)
      .where('outcome', '=', 'ok')
      .where(sql<boolean>`strpos(result_text, ${text}) > 0 and strpos(args, ${text}) = 0`)
      .limit(20)
      .execute()
    if (!found.some(({ result_text: result }) => holds(result, text))) return false
  }
  return true
}

/** It stands there by itself, and not as the beginning of something longer. */
function holds(content: string, text: string): boolean {
  for (let at = content.indexOf(text); at !== -1; at = content.indexOf(text, at + 1))
    if (!/[\w%/?&=#+~-]/.test(content.charAt(at + text.length))) return true
  return false
}

/** Bookmarks that the operator keeps, and not those that untrusted content had written. */
async function keptHosts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('records')
    .select(sql<string>`data ->> 'url'`.as('url'))
    .where('collection', '=', 'bookmarks')
    .where('label', 'is', null)
    .limit(1_000)
    .execute()
  return rows.flatMap(({ url }) => hostOf(url))
}

async function approvedHosts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('approvals')
    .select(
      sql<string[]>`array(
      select part ->> 'host' from json_array_elements(subject::json -> 'resources') as part where part ->> 'type' = 'url')`.as(
        'hosts',
      ),
    )
    .where('state', '=', 'approved')
    .orderBy('id', 'desc')
    .limit(mostDecisions)
    .execute()
  return rows.flatMap(({ hosts }) => hosts)
}

function hostsIn(words: string): string[] {
  return words
    .toLowerCase()
    .split(/[^a-z0-9.-]+/)
    .map((word) => word.replace(/\.+$/, ''))
    .filter((word) => word.includes('.'))
}

function hostOf(url: string | null): string[] {
  const parsed = url === null ? null : URL.parse(url)
  return parsed === null ? [] : [parsed.hostname]
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([, part]) => textsIn(part))
  return []
}
