/**
 * Owns finding conversations that ended: by words in the summary and in what was said, with what stands around them.
 * Sees only what row level security shows of the operator.
 */
import type { FoundEpisode, HistoryQuery, Label, SessionId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { type Selectable, type SqlBool, sql } from 'kysely'
import { searchQuery } from './search-words.ts'
import { type HistoryDb, type HistoryTables, historyDb } from './tables.ts'
import type { ConversationLine } from './turn.ts'
import { beginning, normalisedWords, plainLine } from './wording.ts'

export const mostFound = 5

const longestExcerpt = 700
const longestLine = 300

/** Those that have all of the words come first; those that have some of them follow. */
export async function searchEpisodes(db: LimitedDb, query: HistoryQuery): Promise<readonly FoundEpisode[]> {
  const own = historyDb(db)
  const words = normalisedWords(query.text)
  const limit = Math.max(1, Math.min(mostFound, query.limit))
  const found = await byWords(own, words, query, limit)
  const rows = found.length > 0 ? found : await byPiece(own, query, limit)
  return rows.map(({ turns, session_id, started_at, ended_at, message_count, ...row }) => ({
    ...row,
    session: session_id,
    excerpt: excerptOf(turns, words),
    startedAt: started_at.toISOString(),
    endedAt: ended_at.toISOString(),
    messages: message_count,
  }))
}

export interface LastSummary {
  readonly id: string
  readonly session: SessionId
  readonly summary: string
  readonly startedAt: string
  readonly endedAt: string
  readonly label: Label
  /** Of the very session that goes on. */
  readonly own: boolean
}

/**
 * What an agent is told of before: the session's own conversations, and the newest of the agent under the same goal
 * where there is room. The newest first.
 */
export async function lastSummaries(
  db: LimitedDb,
  of: { readonly agent: string; readonly goal: string | null; readonly session: SessionId },
  count: number,
): Promise<readonly LastSummary[]> {
  const episodes = historyDb(db)
    .selectFrom('episodes')
    .select(['id', 'session_id', 'summary', 'started_at', 'ended_at', 'label', 'to_position'])
    .limit(count)
  const { rows } = await sql<Selectable<HistoryTables['episodes']>>`
    (${episodes.where('session_id', '=', of.session).orderBy('to_position', 'desc')})
    union all
    (${episodes
      .where('agent', '=', of.agent)
      .where('goal', of.goal === null ? 'is' : '=', of.goal)
      .where('session_id', '<>', of.session)
      .orderBy('ended_at', 'desc')})`.execute(db)
  const own = rows.filter((row) => row.session_id === of.session)
  const others = rows.filter((row) => row.session_id !== of.session)
  return [...own, ...others.slice(0, count - own.length)]
    .toSorted(
      (left, right) =>
        right.ended_at.getTime() - left.ended_at.getTime() || right.to_position - left.to_position,
    )
    .map(({ id, session_id, summary, started_at, ended_at, label }) => ({
      id,
      session: session_id,
      summary,
      startedAt: started_at.toISOString(),
      endedAt: ended_at.toISOString(),
      label,
      own: session_id === of.session,
    }))
}

const foundColumns = [
  'id',
  'session_id',
  'agent',
  'goal',
  'summary',
  'turns',
  'started_at',
  'ended_at',
  'message_count',
  'label',
] as const

function inTime(db: HistoryDb, { from, to }: HistoryQuery, limit: number) {
  return db
    .selectFrom('episodes')
    .select(foundColumns)
    .$if(from !== undefined, (query) => query.where('ended_at', '>=', new Date(from ?? '')))
    .$if(to !== undefined, (query) => query.where('ended_at', '<=', new Date(to ?? '')))
    .limit(limit)
}

async function byWords(db: HistoryDb, words: readonly string[], query: HistoryQuery, limit: number) {
  const [any, all] = [searchQuery(words, 'any'), searchQuery(words, 'all')]
  if (any === null || all === null) return []
  return inTime(db, query, limit)
    .where('id', 'in', withAnyOf(db, words))
    .where(sql<SqlBool>`words @@ ${any}`)
    .orderBy(sql`words @@ ${all}`, 'desc')
    .orderBy(sql`ts_rank(words, ${any})`, 'desc')
    .orderBy('ended_at', 'desc')
    .execute()
}

/** The few that have one of the words, by the index; which of them fit is looked at afterwards. */
function withAnyOf(db: HistoryDb, words: readonly string[]) {
  return db
    .selectFrom('episode_words')
    .select('episode')
    .where('word', '=', sql<string>`any (tsvector_to_array(to_tsvector('english', ${words.join(' ')})))`)
}

/** Whether there is anything to search. */
export async function hasEpisodes(db: LimitedDb): Promise<boolean> {
  const found = await historyDb(db).selectFrom('episodes').select('id').limit(1).executeTakeFirst()
  return found !== undefined
}

/** For words that a text does not part with spaces, and for those that are too common to be kept as words. */
async function byPiece(db: HistoryDb, query: HistoryQuery, limit: number) {
  const piece = query.text.trim()
  // A short word that is too common to be kept would be found within every other.
  if (/^[a-z]{0,3}$/i.test(piece)) return []
  const pattern = `%${JSON.stringify(piece)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, '\\$&')}%`
  return inTime(db, query, limit)
    .where(({ or, eb }) =>
      or([eb('summary', 'ilike', pattern), eb(sql<string>`turns::text`, 'ilike', pattern)]),
    )
    .orderBy('ended_at', 'desc')
    .execute()
}

/** The turn that has most of the words, with the one before and the one after. */
export function excerptOf(turns: readonly ConversationLine[], words: readonly string[]): string {
  const stems = [...new Set(words)].map((word) => (word.length > 5 ? word.slice(0, -2) : word))
  let best = { at: -1, hits: 0 }
  for (const [at, { text }] of turns.entries()) {
    const said = normalisedWords(text)
    const hits = stems.filter((stem) => said.some((word) => word.startsWith(stem))).length
    if (hits > best.hits) best = { at, hits }
  }
  const from = Math.max(0, best.at - 1)
  const shown = best.at < 0 ? turns.slice(0, 2) : turns.slice(from, best.at + 2)
  const who = { user: 'Operator', agent: 'Agent', tool: 'Done' } as const
  return beginning(
    shown.map(({ by, text }) => `${who[by]}: ${around(plainLine(text), stems)}`).join('\n'),
    longestExcerpt,
  )
}

/** A long text from a little before the first word that was asked for. */
function around(text: string, stems: readonly string[]): string {
  if (text.length <= longestLine) return text
  const low = text.toLowerCase()
  const places = stems.map((stem) => low.indexOf(stem)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 80)
  if (places.length === 0 || from === 0) return beginning(text, longestLine)
  return `…${beginning(text.slice(from).toWellFormed(), longestLine)}`
}
