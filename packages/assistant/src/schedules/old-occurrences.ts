/** Removes what schedules did long ago. What is still due stays, and so does the newest of each schedule. */
import type { RetainedKind } from '@countersign/kernel'
import { sql } from 'kysely'

const dayMs = 24 * 60 * 60_000

export const oldOccurrences: RetainedKind = {
  name: 'occurrences',
  most: 1_000,
  async remove(unit, days, most) {
    const before = new Date(unit.now.getTime() - days.occurrences * dayMs)
    const { rows } = await sql`
      delete from occurrences where operator_id = ${unit.operator} and id in (
        select o.id from occurrences o
        where o.operator_id = ${unit.operator} and o.state <> 'due' and o.due_at < ${before}
          and exists (select 1 from occurrences later where later.operator_id = o.operator_id
            and later.schedule = o.schedule and later.due_at > o.due_at)
        limit ${most})
      returning 1`.execute(unit.db)
    return { removed: rows.length, more: rows.length === most }
  },
}
