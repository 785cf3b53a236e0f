/** Owns how much of the operator's money somebody's questions cost since the operator's day began. */
import type { RecordTransaction } from '@countersign/kernel'
import { sql } from 'kysely'

/** What is under way counts with its worst case. */
export async function spentToday(
  { db }: Pick<RecordTransaction, 'db'>,
  requester: string,
  zone: string,
): Promise<{ readonly spentUsd: number; readonly hour: number }> {
  const { rows } = await sql<{ spent: number; hour: number }>`
    select
      coalesce((select sum(case when m.state = 'settled' then m.cost else m.reserved end) from model_calls m
        join runs r on r.id = m.run_id join inputs i on i.id = r.input_id
        where i.requester->>'kind' = 'peer' and i.requester->>'id' = ${requester}
          and m.started_at >= date_trunc('day', now() at time zone ${zone}) at time zone ${zone}), 0)::float8 as spent,
      extract(hour from now() at time zone ${zone})::int as hour`.execute(db)
  const [used] = rows
  return { spentUsd: (used?.spent ?? 0) / 1e9, hour: used?.hour ?? 0 }
}
