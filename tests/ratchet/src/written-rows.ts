/** Owns what PostgreSQL wrote between two moments, as its log of changes tells it: rows and bytes of each table. */
import type { DatabaseConnection } from '@countersign/harness'
import pg from 'pg'

export interface WrittenRows {
  readonly table: string
  readonly rows: number
  readonly bytes: number
}

export interface ChangeLog {
  /** Where the log ends now. */
  position(): Promise<string>
  writtenBetween(from: string, to: string): Promise<readonly WrittenRows[]>
  close(): Promise<void>
}

/** An update of a row that moves it to another page names both pages; the first is the row's new place. */
const changesOfRows = `
  select relfilenode::int as file, record_type as kind, record_length - coalesce(block_fpi_length, 0) as bytes,
         coalesce(substring(description from 'ntuples: (\\d+)')::int, 1) as rows
  from pg_get_wal_block_info($1, $2)
  where resource_manager in ('Heap', 'Heap2') and block_id = 0 and relforknumber = 0
    and record_type ~ '^(INSERT|UPDATE|HOT_UPDATE|DELETE|MULTI_INSERT)'`

/** Without those of the database's own catalogue, which change when it tidies up by itself. */
const ownTables = `
  select pg_relation_filenode(pg_class.oid)::int as file, nspname || '.' || relname as table
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 't') and pg_class.oid >= 16384`

export async function openChangeLog(connection: DatabaseConnection): Promise<ChangeLog> {
  const own = new pg.Client({ ...connection })
  // The extension that reads the log is installed there.
  const log = new pg.Client({ ...connection, database: 'postgres' })
  await Promise.all([own.connect(), log.connect()])
  const { rows: tables } = await own.query<{ file: number; table: string }>(ownTables)
  const names = new Map(tables.map(({ file, table }) => [file, table]))

  return {
    async position() {
      const { rows } = await log.query<{ at: string }>('select pg_current_wal_insert_lsn() as at')
      return rows[0]?.at ?? ''
    },
    async writtenBetween(from, to) {
      if (from === to) return []
      const { rows } = await log.query<{ file: number; bytes: number; rows: number }>(changesOfRows, [
        from,
        to,
      ])
      return rows.flatMap(({ file, bytes, rows: count }) => {
        const table = names.get(file)
        if (table === undefined) return []
        // Long values are kept beside their row, in pieces that are no rows of ours.
        return [{ table, rows: table.startsWith('pg_toast.') ? 0 : count, bytes }]
      })
    },
    async close() {
      await Promise.all([own.end(), log.end()])
    },
  }
}
