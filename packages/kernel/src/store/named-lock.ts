/** Owns locks that stand for no row: who holds one keeps others of the operator from it until the unit ends. */
import { sql } from 'kysely'
import type { Unit } from './store.ts'

export async function lockByName({ db, operator }: Unit, name: 'inbox'): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${name}/${operator}`}, 0))`.execute(db)
}
