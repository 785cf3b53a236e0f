/**
 * Owns the order between archiving and forgetting: many may archive at once, and whoever forgets waits for them and
 * keeps them waiting, so that no episode is made of what is being forgotten. Taken after every lock on a session.
 */
import type { OperatorId } from '@countersign/contract'
import { sql } from 'kysely'
import type { HistoryDb } from './tables.ts'

export async function shareHistory(db: HistoryDb, operator: OperatorId): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext(${name(operator)}))`.execute(db)
}

export async function ownHistory(db: HistoryDb, operator: OperatorId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${name(operator)}))`.execute(db)
}

const name = (operator: OperatorId) => `countersign/history/${operator}`
