/** Owns how tools were used lately, counted from the calls themselves. */
import type { OperatorId, ToolUse } from '@countersign/contract'
import type { Reader } from '@countersign/kernel'
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
    return new Map(
      rows.map((row) => [
        row.tool,
        {
          calls: Number(row.calls),
          failures: Number(row.failures),
          medianMs: row.median === null ? null : Math.round(Number(row.median)),
          lastAt: row.last.toISOString(),
        },
      ]),
    )
  })
}
