/** Owns what somebody who is not the operator has spent. */
import { type RawBuilder, sql } from 'kysely'

/** In billionths of a dollar, as part of a statement. What is under way counts with its worst case. */
export function spentByPerson(person: string, since: Date | RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(
    select coalesce(sum(case when state = 'settled' then cost else reserved end), 0)::float8
    from model_calls where person = ${person} and started_at >= ${since})`
}
