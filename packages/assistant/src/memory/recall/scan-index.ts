/**
 * Owns the search for the nearest vectors without an extension of the database: an exact scan in a thread of its own.
 * The vectors of an operator are loaded when they are first needed, and then only what was changed since.
 */
import type { OperatorId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'
import type { HeldMemory } from './scan-matrix.ts'
import { createScanThread } from './scan-thread.ts'
import { dropVectors, keepVectors } from './stored-vectors.ts'
import { type IndexKind, type IndexTables, tablesOf, type VectorIndex } from './vector-index.ts'

export interface ScanIndexOptions {
  /** Memories where nothing is said. */
  readonly kind?: IndexKind
  readonly onProblem: (problem: unknown) => void
  /** Bytes of vectors in memory; the operator who asked longest ago leaves first. A gigabyte where nothing is said. */
  readonly mostBytes?: number
  /** Rows that are read at once, so that the event loop gets its turn between them. */
  readonly rowsAtOnce?: number
}

/** What is known of the operator's vectors in the thread. */
interface LoadedVectors {
  /** Changes of transactions before this one are in. */
  since: number
  bytes: number
}

interface ChangedRow extends HeldMemory {
  readonly no: number
  readonly model: string | null
  readonly vector: Buffer | null
}

export function createScanIndex(options: ScanIndexOptions): VectorIndex {
  const { onProblem, mostBytes = 1_073_741_824, rowsAtOnce = 1_000 } = options
  const tables = tablesOf(options.kind ?? 'memory')
  /** The one who asked last is the last. */
  const loaded = new Map<OperatorId, LoadedVectors>()
  const loading = new Map<OperatorId, Promise<void>>()
  let losses = 0
  const thread = createScanThread((problem) => {
    losses += 1
    loaded.clear()
    onProblem(problem)
  })

  function take(operator: OperatorId, state: LoadedVectors, rows: readonly ChangedRow[]): void {
    const without = rows.filter(({ vector }) => vector === null).map(({ id }) => id)
    if (without.length > 0) thread.send({ kind: 'remove', operator, ids: without })
    const groups = Map.groupBy(
      rows.filter(({ vector }) => vector !== null),
      ({ model, vector }) => `${(vector?.length ?? 0) / 4} ${model}`,
    )
    for (const group of groups.values()) {
      const width = group[0]?.vector?.length ?? 0
      const bytes = new Uint8Array(width * group.length)
      for (const [place, { vector }] of group.entries()) bytes.set(vector ?? [], place * width)
      state.bytes += bytes.length
      thread.send({
        kind: 'put',
        operator,
        model: group[0]?.model ?? '',
        dimensions: width / 4,
        memories: group.map(({ id, status, type, goal, tags }) => ({ id, status, type, goal, tags })),
        vectors: new Float32Array(bytes.buffer),
      })
    }
  }

  async function load(db: LimitedDb, operator: OperatorId): Promise<void> {
    // From before the first row is read: what changes meanwhile is read again by the next.
    const state: LoadedVectors = { since: await snapshotStart(db), bytes: 0 }
    const before = losses
    thread.send({ kind: 'drop', operator })
    for (let after = 0; ; ) {
      const rows = await rowsAfter(db, tables, operator, after, rowsAtOnce)
      take(operator, state, rows)
      const last = rows.at(-1)
      if (last === undefined || rows.length < rowsAtOnce) break
      after = last.no
    }
    if (losses === before) loaded.set(operator, state)
  }

  async function refresh(db: LimitedDb, operator: OperatorId, state: LoadedVectors): Promise<void> {
    const { rows } = await sql<ChangedRow & { start: number }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as start, recent.*
      from (select 1) as once left join (
        select no, id, status, type, goal, tags, model, vector from ${tables.index}
        where operator_id = ${operator} and changed >= ${state.since} and ${committed}
        union all
        select 0, id, '', '', null, '{}', null, null from ${tables.removals} r
        where operator_id = ${operator} and changed >= ${state.since} and ${committed}
          and not exists (select 1 from ${tables.index} m
            where m.operator_id = r.operator_id and m.id = r.id)
      ) as recent on true`.execute(db)
    take(
      operator,
      state,
      rows.filter(({ id }) => id !== null),
    )
    state.since = rows[0]?.start ?? state.since
  }

  /** One at a time for an operator; who comes meanwhile waits for it and then looks for what is newer. */
  async function prepare(db: LimitedDb, operator: OperatorId): Promise<void> {
    while (loading.has(operator)) await loading.get(operator)?.catch(() => undefined)
    const state = loaded.get(operator)
    const work = state === undefined ? load(db, operator) : refresh(db, operator, state)
    loading.set(operator, work)
    try {
      await work
      touch(operator)
    } finally {
      loading.delete(operator)
    }
  }

  function touch(operator: OperatorId): void {
    const state = loaded.get(operator)
    if (state === undefined) return
    loaded.delete(operator)
    loaded.set(operator, state)
    let sum = [...loaded.values()].reduce((bytes, each) => bytes + each.bytes, 0)
    for (const [other, { bytes }] of loaded) {
      if (sum <= mostBytes || other === operator) return
      loaded.delete(other)
      thread.send({ kind: 'drop', operator: other })
      sum -= bytes
    }
  }

  return {
    kind: 'scan',
    prepare,
    repair: (db, operator) => repairChanges(db, tables, operator),
    async upsert(db, operator, vectors) {
      return (await keepVectors(db, tables, operator, vectors)).length
    },
    async remove(db, operator, memories) {
      await dropVectors(db, tables, operator, memories)
    },
    search: (_reach, operator, { model, vector, limit, filter }) =>
      thread.search({ operator, model, vector, limit, filter }),
    close: () => thread.close(),
  }
}

/** A database that was copied into another server numbers its transactions anew; what looks newer than now is old. */
async function repairChanges(db: LimitedDb, { index }: IndexTables, operator: OperatorId): Promise<void> {
  await sql`
    update ${index} set changed = pg_current_xact_id()::text::bigint
    where operator_id = ${operator} and changed > pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      and ${committed}`.execute(db)
}

/**
 * Not what this very transaction has written: it may be taken back, and the thread would not hear of it. After the
 * commit it is found, since the snapshot starts no later than this transaction.
 */
const committed = sql`changed is distinct from pg_current_xact_id_if_assigned()::text::bigint`

async function snapshotStart(db: LimitedDb): Promise<number> {
  const { rows } = await sql<{ start: number }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as start`.execute(db)
  return rows[0]?.start ?? 0
}

async function rowsAfter(
  db: LimitedDb,
  { index }: IndexTables,
  operator: OperatorId,
  after: number,
  limit: number,
): Promise<ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    select no, id, status, type, goal, tags, model, vector from ${index}
    where operator_id = ${operator} and no > ${after} and vector is not null and ${committed}
    order by no limit ${limit}`.execute(db)
  return rows
}
