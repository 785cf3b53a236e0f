/** Owns what was spent since the operator's day began: for somebody's questions, or in all. */

import type { OperatorId } from '@countersign/contract'
import type { Kernel, RecordTransaction } from '@countersign/kernel'
import { sql } from 'kysely'

/** What is under way counts with its worst case. */
export async function spentToday(
  { db, now }: Pick<RecordTransaction, 'db' | 'now'>,
  requester: string,
  zone: string,
): Promise<{ readonly spentUsd: number; readonly hour: number }> {
  const { rows } = await sql<{ spent: number; hour: number }>`
    select
      coalesce((select sum(case when m.state = 'settled' then m.cost else m.reserved end) from model_calls m
        join runs r on r.id = m.run_id join inputs i on i.id = r.input_id
        where i.requester->>'kind' = 'peer' and i.requester->>'id' = ${requester}
          and m.started_at >= date_trunc('day', ${now}::timestamptz at time zone ${zone}) at time zone ${zone}), 0)::float8 as spent,
      extract(hour from ${now}::timestamptz at time zone ${zone})::int as hour`.execute(db)
  const [used] = rows
  return { spentUsd: (used?.spent ?? 0) / 1e9, hour: used?.hour ?? 0 }
}

/** In words, for a chat. */
export async function costToday(
  { records }: Pick<Kernel, 'records'>,
  operator: OperatorId,
  zone: string,
): Promise<string> {
  const { rows } = await records.read(operator, ({ db, now }) =>
    sql<{ spent: number }>`
      select coalesce(sum(case when state = 'settled' then cost else reserved end), 0)::float8 as spent
      from model_calls where started_at >= date_trunc('day', ${now}::timestamptz at time zone ${zone}) at time zone ${zone}`.execute(
      db,
    ),
  )
  return `Spent today: ${((rows[0]?.spent ?? 0) / 1e9).toFixed(4)} USD. See Costs in the app for the rest.`
}
