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
): pg.Pool {
  const types: pg.CustomTypesConfig = {
    // Counters and positions stay far below 2^53, so they are plain numbers here.
    getTypeParser: ((id: number, format: 'text' | 'binary') =>
      id === 20 ? Number : pg.types.getTypeParser(id, format as 'text')) as typeof pg.types.getTypeParser,
  }
  // Small tables that change all the time look cheap to scan, and are not once they hold their dead rows.
  const options = '-c search_path=countersign -c enable_seqscan=off'
  const pool = new pg.Pool({ ...connection, types, max: size, options, pipeline: true } as pg.PoolConfig)
  pool.on('error', onProblem)
  // The pool listens only while a connection is idle.
  pool.on('connect', (client) => client.on('error', onProblem))
  return pool
}

/** A query builder that stays on one connection. */
export function databaseOn<Tables>(client: pg.PoolClient): Kysely<Tables> {
  const names = new Map<string, string>()
  function query(text: string, values: unknown[]) {
    let name = names.get(text)
    // Statements beyond the bound stay unnamed, so that generated ones cannot fill the server's memory.
    if (name === undefined && names.size < mostNamed) {
      name = `store_${names.size}`
      names.set(text, name)
    }
    return client.query(name === undefined ? { text, values } : { name, text, values })
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
