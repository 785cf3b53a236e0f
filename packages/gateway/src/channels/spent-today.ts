/** Owns what was spent since the operator's day began: for somebody's questions, or in all. */

import { nanosPerDollar, type OperatorId } from '@countersign/contract'
import { type Kernel, type RecordTransaction, spentByPerson } from '@countersign/kernel'
import { sql } from 'kysely'

export async function spentToday(
  { db, now }: Pick<RecordTransaction, 'db' | 'now'>,
  person: string,
  zone: string,
): Promise<{ readonly spentUsd: number; readonly hour: number }> {
  const { rows } = await sql<{ spent: number; hour: number }>`
    select ${spentByPerson(person, dayBegan(now, zone))} as spent,
      extract(hour from ${now}::timestamptz at time zone ${zone})::int as hour`.execute(db)
  const [used] = rows
  return { spentUsd: (used?.spent ?? 0) / nanosPerDollar, hour: used?.hour ?? 0 }
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
      from model_calls where started_at >= ${dayBegan(now, zone)}`.execute(db),
  )
  return `Spent today: ${((rows[0]?.spent ?? 0) / nanosPerDollar).toFixed(4)} USD. See Costs in the app for the rest.`
}

const dayBegan = (now: Date, zone: string) =>
  sql`date_trunc('day', ${now}::timestamptz at time zone ${zone}) at time zone ${zone}`
