/** Owns how tools were used lately, counted from the calls themselves. */
import type { OperatorId, ToolUse } from '@countersign/contract'
import type { LimitedDb, Reader } from '@countersign/kernel'
import { sql } from 'kysely'

const days = 30

export async function toolUse(
  read: Reader,
  operator: OperatorId,
  now: Date,
): Promise<ReadonlyMap<string, ToolUse>> {
  const since = new Date(now.getTime() - days * 86_400_000)
  return read(operator, async (db) => {
    const rows = await db
      .selectFrom('calls')
      .select([
        'tool',
        sql<number>`count(*)`.as('calls'),
        sql<number>`count(*) filter (where outcome in ('failed', 'unknown', 'refused'))`.as('failures'),
        sql<
          number | null
        >`percentile_cont(0.5) within group (order by extract(epoch from ended_at - started_at) * 1000)`.as(
          'median',
        ),
        sql<Date>`max(ended_at)`.as('last'),
      ])
      .where('ended_at', '>', since)
      .groupBy('tool')
      .execute()
    const daily = await dailyUse(db, since)
    return new Map(
      rows.map((row) => [
        row.tool,
        {
          calls: Number(row.calls),
          failures: Number(row.failures),
          medianMs: row.median === null ? null : Math.round(Number(row.median)),
          lastAt: row.last.toISOString(),
          daily: daily.get(row.tool) ?? [],
        },
      ]),
    )
  })
}

/** Days are counted back from now, so that today is the last one whatever the hour. */
async function dailyUse(db: LimitedDb, since: Date): Promise<ReadonlyMap<string, number[]>> {
  const { rows } = await sql<{ tool: string; day: number; calls: number }>`
    select tool, least(${days - 1}, floor(extract(epoch from ended_at - ${since}::timestamptz) / 86400))::integer as day,
      count(*)::integer as calls
    from calls where ended_at > ${since} group by 1, 2`.execute(db)
  const counted = new Map<string, number[]>()
  for (const { tool, day, calls } of rows) {
    const each = counted.get(tool) ?? Array.from({ length: days }, () => 0)
    each[day] = calls
    counted.set(tool, each)
  }
  return counted
}
