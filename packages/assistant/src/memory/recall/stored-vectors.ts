/** Owns the vectors in the rows of the index, which every way of searching is made from. */
import type { OperatorId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { type RawBuilder, sql } from 'kysely'
import { bytesOf, type IndexTables, type NewVector } from './vector-index.ts'

/** Those that were kept: not the ones whose memory is gone or says something else by now. */
export async function keepVectors(
  db: LimitedDb,
  { index }: IndexTables,
  operator: OperatorId,
  vectors: readonly NewVector[],
): Promise<readonly { readonly id: string; readonly no: number }[]> {
  if (vectors.length === 0) return []
  // Locked in the order of ids, as everybody does who changes several memories, so that nobody waits in a ring.
  const { rows } = await sql<{ id: string; no: number }>`
    with locked as materialized (
      select m.no, given.model, given.vector
      from unnest(
        ${vectors.map(({ memory }) => memory)}::text[], ${vectors.map(({ revision }) => revision)}::integer[],
        ${vectors.map(({ model }) => model)}::text[], ${vectors.map(({ vector }) => bytesOf(vector))}::bytea[]
      ) as given (id, revision, model, vector)
      join ${index} m
        on m.operator_id = ${operator} and m.id = given.id and m.revision = given.revision
      order by m.id for update of m
    )
    update ${index} as m
    set model = locked.model, vector = locked.vector, claimed_until = null,
      changed = pg_current_xact_id()::text::bigint
    from locked where m.operator_id = ${operator} and m.no = locked.no
    returning m.id, m.no`.execute(db)
  return rows
}

export async function dropVectors(
  db: LimitedDb,
  tables: IndexTables,
  operator: OperatorId,
  memories: readonly string[],
): Promise<void> {
  await sql`
    update ${tables.index}
    set model = null, vector = null, claimed_until = null, changed = pg_current_xact_id()::text::bigint
    where operator_id = ${operator} and no in (${inOrder(tables, operator, memories)})`.execute(db)
}

/** Gives memories back that were claimed to be embedded. */
export async function releaseClaims(
  db: LimitedDb,
  tables: IndexTables,
  operator: OperatorId,
  memories: readonly string[],
): Promise<void> {
  await sql`
    update ${tables.index} set claimed_until = null
    where operator_id = ${operator} and no in (${inOrder(tables, operator, memories)})`.execute(db)
}

function inOrder(
  { index }: IndexTables,
  operator: OperatorId,
  memories: readonly string[],
): RawBuilder<unknown> {
  return sql`select no from ${index}
    where operator_id = ${operator} and id = any (${memories}::text[]) order by id for update`
}
