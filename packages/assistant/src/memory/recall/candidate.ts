/** Owns what is read of the memories that a search found, once more and within the same transaction. */
import { type Label, MemoryType, type OperatorId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'
import { filterTerms } from './filter-terms.ts'
import type { MemoryStrength } from './strength.ts'
import { type MemoryFilter, vectorOf } from './vector-index.ts'

export interface MemoryCandidate extends MemoryStrength {
  readonly id: string
  readonly content: string
  readonly tags: readonly string[]
  readonly createdAt: Date
  /** The memories that it corrects. */
  readonly corrects: readonly string[]
  readonly label: Label | null
  /** Of the model that was asked for. */
  readonly vector: Float32Array | null
}

interface CandidateRow {
  readonly id: string
  readonly type: string
  readonly tags: string[]
  readonly importance: number
  readonly pinned: boolean
  readonly corrects: string[]
  readonly created_at: Date
  readonly told_at: Date
  readonly used_at: string | null
  readonly content: string | null
  readonly label: Label | null
  readonly vector: Buffer | null
}

/** Only what is active now; in no order. */
export async function readCandidates(
  db: LimitedDb,
  operator: OperatorId,
  ids: readonly string[],
  model: string | null,
): Promise<readonly MemoryCandidate[]> {
  if (ids.length === 0) return []
  // One by one: with a limit inside, the server cannot choose to read every record first.
  const { rows } = await sql<CandidateRow>`
    select m.id, m.type, m.tags, m.importance, m.pinned, m.corrects, m.created_at, m.told_at, m.used_at,
      r.content, r.label, case when m.model = ${model} then m.vector end as vector
    from unnest(${ids}::text[]) as wanted (id)
    cross join lateral (
      select * from memory_index where operator_id = ${operator} and memory_index.id = wanted.id limit 1
    ) as m
    cross join lateral (
      select data ->> 'content' as content, label from records
      where operator_id = ${operator} and collection = 'memories' and records.id = wanted.id limit 1
    ) as r
    where m.status = 'active'`.execute(db)
  return rows.map(candidateFrom)
}

/** For a query without words: what weighs most. */
export async function readWeightiest(
  db: LimitedDb,
  operator: OperatorId,
  { filter, limit }: { readonly filter: MemoryFilter; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.id from memory_index m where m.operator_id = ${operator} 
      and ${sql.join(filterTerms('m', filter), sql` and `)}
    order by m.pinned desc, m.importance desc, m.told_at desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

function candidateFrom(row: CandidateRow): MemoryCandidate {
  const usedAt = row.used_at === null ? Number.NaN : Date.parse(row.used_at)
  return {
    id: row.id,
    content: row.content ?? '',
    type: MemoryType.catch('fact').parse(row.type),
    importance: row.importance,
    pinned: row.pinned,
    tags: row.tags,
    createdAt: row.created_at,
    toldAt: row.told_at,
    usedAt: Number.isNaN(usedAt) ? null : new Date(usedAt),
    corrects: row.corrects,
    label: row.label,
    vector: row.vector && vectorOf(row.vector),
  }
}
