/** Owns the forward-only migrations. Two processes that start at once apply each of them once. */
import type { Pool } from 'pg'
import { spine } from './migrations/0001-spine.ts'
import { records } from './migrations/0002-records.ts'
import { hands } from './migrations/0003-hands.ts'
import { voice } from './migrations/0004-voice.ts'
import { mind } from './migrations/0005-mind.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

const own: readonly Migration[] = [spine, records, hands, voice, mind]

/** Those of whoever keeps tables of their own come after the kernel's. */
export async function migrate(pool: Pool, others: readonly Migration[] = []): Promise<readonly string[]> {
  const migrations = [...own, ...others]
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
