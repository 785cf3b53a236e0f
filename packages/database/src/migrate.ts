/** Owns the forward-only migrations. Two processes that start at once apply each of them once. */
import type { Pool } from 'pg'

export interface Migration {
  readonly name: string
  readonly sql: string
}

export async function migrate(pool: Pool, migrations: readonly Migration[]): Promise<readonly string[]> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(hashtext('countersign/migrate'))`)
    await client.query('create schema if not exists countersign')
    await client.query(
      'create table if not exists migrations (name text primary key, at timestamptz not null default now())',
    )
    const applied = new Set(
      (await client.query<{ name: string }>('select name from migrations')).rows.map((row) => row.name),
    )
    const fresh = migrations.filter((migration) => !applied.has(migration.name))
    for (const migration of fresh) {
      await client.query(migration.sql)
      await client.query('insert into migrations (name) values ($1)', [migration.name])
    }
    await client.query('commit')
    return fresh.map((migration) => migration.name)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
