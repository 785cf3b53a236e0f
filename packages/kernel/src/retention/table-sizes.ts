/** Owns how much the tables take on disk, with their indexes. Sizes only, no content. */
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'

export interface TableSizes {
  readonly total: number
  /** Steps of runs as surfaces followed them. */
  readonly events: number
  /** Calls and requests. */
  readonly details: number
  readonly ledger: number
}

export async function tableSizes(store: Pick<Store, 'system'>): Promise<TableSizes> {
  const { rows } = await sql<{ name: string; bytes: string }>`
    select c.relname as name, pg_total_relation_size(c.oid)::text as bytes
    from pg_class c where c.relkind = 'r' and c.relnamespace = any (
      select oid from pg_namespace where nspname not in ('pg_catalog', 'information_schema', 'pg_toast'))`.execute(
    store.system,
  )
  const sum = (...names: string[]) =>
    rows.reduce((total, { name, bytes }) => total + (names.includes(name) ? Number(bytes) : 0), 0)
  return {
    total: rows.reduce((total, { bytes }) => total + Number(bytes), 0),
    events: sum('events'),
    details: sum('calls', 'approvals', 'questions'),
    ledger: sum('ledger_entries', 'checkpoints', 'ledger_subtrees'),
  }
}
