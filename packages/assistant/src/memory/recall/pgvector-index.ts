/**
 * Owns the search for the nearest vectors by pgvector, where the database has it: an HNSW index over a table that is
 * made when it is first chosen. The vectors in the rows of the index stay, so either way of searching can take over.
 */
import type { OperatorId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { type RawBuilder, sql } from 'kysely'
import { filterTerms } from './filter-terms.ts'
import { dropVectors, keepVectors } from './stored-vectors.ts'
import {
  type IndexKind,
  type IndexTables,
  type NearMemory,
  tablesOf,
  type VectorIndex,
  type VectorQuery,
  vectorOf,
} from './vector-index.ts'

/** True where the extension is there, or could be made. A refusal by the database ends the transaction, so ask alone. */
export async function isPgvectorThere(db: LimitedDb): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_available_extensions where name = 'vector'`.execute(db)
  return rows.length > 0
}

/** Has the table made within the transaction. Rejects where the database does not let us. */
export async function openPgvectorIndex(db: LimitedDb, kind: IndexKind = 'memory'): Promise<VectorIndex> {
  const tables = tablesOf(kind)
  const { rows } = await sql<{ schema: string }>`select prepare_nearest(${kind}) as schema`.execute(db)
  const names = namesIn(rows[0]?.schema ?? 'public')
  const indexed = new Set<number>()

  async function upsertAll(
    at: LimitedDb,
    operator: OperatorId,
    kept: readonly { readonly no: number; readonly model: string; readonly vector: Float32Array }[],
  ): Promise<void> {
    for (const { vector } of kept) {
      if (indexed.has(vector.length) || vector.length > mostIndexed) continue
      await sql`select index_nearest(${kind}, ${vector.length})`.execute(at)
      indexed.add(vector.length)
    }
    if (kept.length === 0) return
    await sql`
      insert into ${tables.nearest} (operator_id, no, model, dimensions, near)
      select ${operator}, no, model, dimensions, near::${names.type}
      from unnest(
        ${kept.map(({ no }) => no)}::bigint[], ${kept.map(({ model }) => model)}::text[],
        ${kept.map(({ vector }) => vector.length)}::integer[], ${kept.map(({ vector }) => literalOf(vector))}::text[]
      ) as given (no, model, dimensions, near)
      on conflict (operator_id, no) do update set
        model = excluded.model, dimensions = excluded.dimensions, near = excluded.near`.execute(at)
  }

  return {
    kind: 'pgvector',
    prepare: () => Promise.resolve(),
    async repair(at, operator) {
      for (;;) {
        const { rows: missing } = await sql<{ no: number; model: string; vector: Buffer }>`
          select no, model, vector from ${tables.index} as m
          where operator_id = ${operator} and vector is not null and not exists (
            select 1 from ${tables.nearest} n where n.operator_id = m.operator_id and n.no = m.no)
          order by no limit ${repairedAtOnce}`.execute(at)
        const kept = missing.map(({ no, model, vector }) => ({ no, model, vector: vectorOf(vector) }))
        await upsertAll(at, operator, kept)
        if (missing.length < repairedAtOnce) return
      }
    },
    async upsert(at, operator, vectors) {
      const kept = await keepVectors(at, tables, operator, vectors)
      const given = new Map(vectors.map((each) => [each.memory, each]))
      await upsertAll(
        at,
        operator,
        kept.flatMap(({ id, no }) => {
          const each = given.get(id)
          return each ? [{ no, model: each.model, vector: each.vector }] : []
        }),
      )
      return kept.length
    },
    remove: (at, operator, memories) => dropVectors(at, tables, operator, memories),
    search: (reach, operator, query) =>
      query.limit <= 0 ? Promise.resolve([]) : reach((at) => nearest(at, { names, tables }, operator, query)),
    close: () => Promise.resolve(),
  }
}

/** More dimensions than this kind of index can have: those are compared one by one. */
const mostIndexed = 2_000
const repairedAtOnce = 500

async function nearest(
  db: LimitedDb,
  { names, tables }: { readonly names: Names; readonly tables: IndexTables },
  operator: OperatorId,
  { model, vector, limit, filter }: VectorQuery,
): Promise<readonly NearMemory[]> {
  await sql`select search_nearest_well(${Math.min(1_000, Math.max(100, limit * 2))})`.execute(db)
  const type = names.sized(vector.length)
  const distance = sql`(n.near::${type}) ${names.operator} ${literalOf(vector)}::${type}`
  const { rows } = await sql<NearMemory>`
    select m.id as memory, 1 - (${distance}) as likeness
    from ${tables.nearest} n join ${tables.index} m on m.operator_id = n.operator_id and m.no = n.no
    where n.operator_id = ${operator} and n.dimensions = ${sql.raw(String(vector.length))}
      and n.model = ${model} and ${sql.join(filterTerms('m', filter), sql` and `)}
    order by ${distance} limit ${limit}`.execute(db)
  return rows
}

/** The extension may lie in any schema, and the path of the connection names only ours. */
interface Names {
  readonly type: RawBuilder<unknown>
  readonly operator: RawBuilder<unknown>
  sized(dimensions: number): RawBuilder<unknown>
}

function namesIn(schema: string): Names {
  const type = sql.id(schema, 'vector')
  return {
    type,
    operator: sql`operator(${sql.id(schema)}.<=>)`,
    sized: (dimensions) => sql`${type}(${sql.raw(String(dimensions))})`,
  }
}

function literalOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}
