/** Removes what is known of questions of programs that were answered long ago. Conversations are kept elsewhere. */
import type { RetainedKind } from '@countersign/kernel'
import { sql } from 'kysely'

const dayMs = 24 * 60 * 60_000

export const oldQuestions: RetainedKind = {
  name: 'questions of programs',
  most: 1_000,
  async remove(unit, days, most) {
    const before = new Date(unit.now.getTime() - days.details * dayMs)
    const { rows } = await sql`
      delete from program_questions where operator_id = ${unit.operator} and (program, id) in (
        select program, id from program_questions
        where operator_id = ${unit.operator} and told = 'end' and at < ${before} limit ${most})
      returning 1`.execute(unit.db)
    return { removed: rows.length, more: rows.length === most }
  },
}
