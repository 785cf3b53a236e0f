/**
 * Owns the search by words: any shared word is enough, and a rare one counts for more. Words are as PostgreSQL's text
 * search reads English: without endings, and without the commonest.
 */
import type { OperatorId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'
import { filterTerms, isNarrowed } from './filter-terms.ts'
import { type IndexKind, type MemoryFilter, tablesOf } from './vector-index.ts'

export interface WordQuery {
  /** Memories where nothing is said. */
  readonly kind?: IndexKind
  readonly text: string
  readonly limit: number
  readonly filter: MemoryFilter
  /** How many memories there are, more or less: what makes a word rare. */
  readonly memories: number
}

export interface WordMatch {
  readonly memory: string
  /** The share of what the query asks for, weighed by how rare its words are; about one when all of it is there. */
  readonly coverage: number
}

/** The best first. Finds active memories only: no others have words here. */
export async function searchWords(
  db: LimitedDb,
  operator: OperatorId,
  { text, limit, filter, memories, kind = 'memory' }: WordQuery,
): Promise<readonly WordMatch[]> {
  const tables = tablesOf(kind)
  const narrowed = isNarrowed(filter)
    ? sql`join ${tables.index} f on f.operator_id = ${operator} and f.no = h.no
        and ${sql.join(filterTerms('f', filter), sql` and `)}`
    : sql``
  const common = Math.min(mostUses, Math.max(fewestUses, Math.ceil(memories / 10)))
  const { rows } = await sql<WordMatch>`
    with asked as materialized (
      select word from unnest(tsvector_to_array(to_tsvector('pg_catalog.english', ${text.slice(0, longestQuery)}))) as word
      limit ${mostWords}
    ), hits as materialized (
      select asked.word, hit.no, hit.weight from asked cross join lateral (
        select no, weight from ${tables.words} w where w.operator_id = ${operator} and w.word = asked.word
        order by no desc limit ${common + 1}
      ) as hit
    ), counted as materialized (
      select asked.word, count(hits.no) as uses,
        ln(1 + greatest(${memories}::float8 - count(hits.no), 0.5) / (count(hits.no) + 0.5)) as rarity
      from asked left join hits using (word) group by asked.word
    ), chosen as materialized (
      select word, rarity from counted
      where uses <= ${common} or not exists (select 1 from counted where uses between 1 and ${common})
    ), scored as (
      select h.no, sum(h.weight * c.rarity) as score
      from chosen c join hits h using (word) ${narrowed}
      group by h.no order by score desc, h.no desc limit ${limit}
    )
    select m.id as memory, s.score / greatest((select sum(rarity) from counted), 0.001) as coverage
    from scored s join ${tables.index} m on m.operator_id = ${operator} and m.no = s.no
    where m.status = 'active'
    order by s.score desc, s.no desc`.execute(db)
  return rows
}

export async function countMemories(
  db: LimitedDb,
  operator: OperatorId,
  kind: IndexKind = 'memory',
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from ${tablesOf(kind).index} where operator_id = ${operator}`.execute(db)
  return rows[0]?.count ?? 0
}

const longestQuery = 4_000
const mostWords = 32
/**
 * A word of more memories than every tenth tells little and costs most: it is left out where there is a rarer one, and
 * else only the newest of its memories are looked at. In a small or a very large number of memories, these decide.
 */
const fewestUses = 500
const mostUses = 2_000
