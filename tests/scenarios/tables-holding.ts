/** Owns the look for a word in every table of the database, for tests of what is erased. */
import type { Installation } from '@countersign/harness'
import pg from 'pg'

export interface HoldingOptions {
  /** Also the ledger, and the tables of the engine. */
  readonly everywhere?: boolean
}

/** The tables that hold the word, by name. */
export async function tablesHolding(
  installation: Installation,
  word: string,
  { everywhere = false }: HoldingOptions = {},
): Promise<string[]> {
  const database = new pg.Client(installation.databaseConnection())
  await database.connect()
  await database.query("select set_config('app.operator', $1, false)", [installation.identity.trust.operator])
  try {
    const { rows } = await database.query(
      `select table_schema as schema, table_name as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const found: string[] = []
    for (const { schema, name } of rows as { schema: string; name: string }[]) {
      if (!everywhere && (schema !== 'countersign' || name === 'ledger_entries')) continue
      const { rows: hits } = await database.query(
        `select 1 from "${schema}"."${name}" as held where held::text ilike $1 limit 1`,
        [`%${word}%`],
      )
      if (hits.length > 0) found.push(name)
    }
    return found.toSorted()
  } finally {
    await database.end()
  }
}
