/**
 * Owns the connections to PostgreSQL. Statements are planned once per connection and travel without waiting for each
 * other; a connection that is lost is the error of its statement and never of the process.
 */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

const mostNamed = 200

export function openPool(
  connection: pg.PoolConfig,
  size: number,
  onProblem: (error: unknown) => void,
  /** What else a connection begins with. */
  settings: readonly string[] = [],
): pg.Pool {
  const types: pg.CustomTypesConfig = {
    // Counters and positions stay far below 2^53, so they are plain numbers here.
    getTypeParser: ((id: number, format: 'text' | 'binary') =>
      id === 20 ? Number : pg.types.getTypeParser(id, format as 'text')) as typeof pg.types.getTypeParser,
  }
  // Small tables that change all the time look cheap to scan, and are not once they hold their dead rows.
  // Temporary tables come last: one that is named like a table of ours would stand before it.
  const options = ['search_path=countersign,pg_temp', 'enable_seqscan=off', ...settings]
    .map((setting) => `-c ${setting}`)
    .join(' ')
  // The last connection stays: what is looked at every few seconds would open a new one each time.
  const pool = new pg.Pool({
    ...connection,
    types,
    min: 1,
    max: size,
    options,
    pipeline: true,
  } as pg.PoolConfig)
  pool.on('error', onProblem)
  // The pool listens only while a connection is idle.
  pool.on('connect', (client) => client.on('error', onProblem))
  return pool
}

/** The statements of a connection that PostgreSQL has planned under a name. */
export interface PreparedNames {
  /** Undefined beyond the bound, so that generated statements cannot fill the server's memory. */
  of(text: string): string | undefined
}

/** `handle` begins every name: two kinds of handles on one connection have two. */
export function preparedNames(handle: string): PreparedNames {
  const names = new Map<string, string>()
  return {
    of(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= mostNamed) return known
      const name = `${handle}_${names.size}`
      names.set(text, name)
      return name
    },
  }
}

export interface HandleOptions {
  readonly names: PreparedNames
  /** Told each statement before it is sent. What it throws fails the statement, and nothing is sent. */
  readonly before?: (text: string) => void
}

/** A query builder that stays on one connection. Every message is one statement: PostgreSQL refuses a second in it. */
export function databaseOn<Tables>(
  client: pg.PoolClient,
  { names, before }: HandleOptions = { names: preparedNames('store') },
): Kysely<Tables> {
  function query(text: string, values: unknown[]) {
    before?.(text)
    const name = names.of(text)
    const statement = { text, values, queryMode: 'extended' }
    return client.query(name === undefined ? statement : { ...statement, name })
  }
  const pinned = { query, release: () => undefined }
  return new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: () => Promise.resolve(pinned as unknown as pg.PoolClient),
        end: () => Promise.resolve(),
      },
    }),
  })
}
