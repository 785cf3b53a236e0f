/** Owns what leaves the index by itself: what is too old, and the oldest of what is too much. The texts stay where they are. */
import { builtInCollections, type OperatorId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'

export interface PruneLimits {
  readonly pieces: number
  /** Of messages and e-mails. */
  readonly days: number
}

/** How many pieces left. */
export async function prune(
  db: LimitedDb,
  operator: OperatorId,
  now: Date,
  { pieces, days }: PruneLimits,
): Promise<number> {
  const before = new Date(now.getTime() - days * 86_400_000)
  const { numAffectedRows: old = 0n } = await sql`
    delete from content_index
    where operator_id = ${operator} and type in ('conversations', 'emails') and at < ${before}`.execute(db)
  let left = Number(old)
  for (const collection of builtInCollections) {
    const { numAffectedRows: many = 0n } = await sql`
      delete from content_index where operator_id = ${operator} and no in (
        select no from content_index where operator_id = ${operator} and type = ${collection}
        order by at desc, no desc offset ${pieces})`.execute(db)
    left += Number(many)
  }
  return left
}
