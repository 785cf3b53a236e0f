/**
 * Owns what the house knows of the hosts that a call reaches: whether the operator knows them, and whether what
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
/** Which of several links is taken tells a little to whoever wrote them; so many in one run, and no more. */
const mostFollowed = 20
/** What these bring was written elsewhere. Whatever else returns a text may have put it together. */
const bringers = [
  'http_request',
  'fetch_web_page',
  'search_web',
  'browser_navigate',
  'browser_click',
  'browser_extract_text',
  'browser_extract_html',
]

export function createAcquainted({ records }: House): Acquainted {
  return async ({ circumstances: { operator, session, run, requester }, args, hosts }) => {
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
      if ((await followed(db, run)) >= mostFollowed) return unknown
      const words = typed.map(({ text }) => text)
      const known = new Set([...(await keptHosts(db)), ...(await approvedHosts(db))])
      return {
        named: hosts.every((host) => known.has(host)),
        verbatim: await isVerbatim(db, session, args, words),
      }
    })
  }
}

/** The one text that would leave stands in words of the operator, or in what a tool brought before anybody wrote it. */
async function isVerbatim(
  db: Db,
  session: Parameters<Acquainted>[0]['circumstances']['session'],
  args: string,
  words: readonly string[],
): Promise<boolean> {
  const text = onlyAddressIn(JSON.parse(args) as JsonValue)
  if (text === undefined) return false
  if (words.some((said) => holds(said, text))) return true
  // A query is how pages are told and made to act; only the operator may write one.
  if (text.includes('?')) return false
  // What a call up to that one held in its arguments was written by a model, and may only have come back.
  const written = JSON.stringify(text).slice(1, -1)
  const found = await db
    .selectFrom('calls as brought')
    .select('brought.result_text')
    .where('brought.session_id', '=', session)
    .where('brought.outcome', '=', 'ok')
    .where('brought.tool', 'in', bringers)
    .where(sql<boolean>`strpos(brought.result_text, ${text}) > 0`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('calls as wrote')
            .select('wrote.id')
            .where('wrote.session_id', '=', session)
            .where(sql<boolean>`strpos(wrote.args, ${written}) > 0`)
            .where(
              sql<boolean>`(wrote.run_id, wrote.turn, wrote.position) <= (brought.run_id, brought.turn, brought.position)`,
            ),
        ),
      ),
    )
    .limit(20)
    .execute()
  return found.some(({ result_text: result }) => holds(result, text))
}

/** How many links this run followed by its acquaintance already. */
async function followed(db: Db, run: Parameters<Acquainted>[0]['circumstances']['run']): Promise<number> {
  const row = await db
    .selectFrom('calls')
    .select(sql<number>`count(*)`.as('count'))
    .where('run_id', '=', run)
    .where(sql<boolean>`strpos(decision::text, 'level.medium-named') > 0`)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** What no address goes on with, and the end of a sentence. Whatever else follows may belong to something longer. */
const ends = /^(?:$|[\s"<>)\]}|\\`]|[.,;:!?'](?:$|[\s"'<>)\]}]))/
const begins = /(?:^|[\s"'<>()[\]{}|\\`])$/
const address = /^https?:\/\//

/** It stands there by itself, and not as a part of something longer. */
function holds(content: string, text: string): boolean {
  for (let at = content.indexOf(text); at !== -1; at = content.indexOf(text, at + 1)) {
    const after = content.slice(at + text.length, at + text.length + 2)
    // An address says itself where it begins.
    const isBegun = address.test(text) || begins.test(content.slice(Math.max(0, at - 1), at))
    if (isBegun && ends.test(after)) return true
  }
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

function hostOf(url: string | null): string[] {
  const parsed = url === null ? null : URL.parse(url)
  return parsed === null ? [] : [parsed.hostname]
}

/** The address, where nothing else in the arguments could carry a word. */
function onlyAddressIn(args: JsonValue): string | undefined {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return undefined
  const { url, method = 'GET', ...others } = args
  if (typeof url !== 'string' || typeof method !== 'string' || !methods.has(method)) return undefined
  return Object.values(others).every(isMute) ? url : undefined
}

function isMute(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === '' || typeof value !== 'string'
}
