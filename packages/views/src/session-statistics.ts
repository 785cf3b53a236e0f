/** Owns how large a conversation is and what it took. */
import { nanosPerDollar, type SessionStatistics, type SessionView } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'

export async function sessionStatistics(
  db: LimitedDb,
  { id, updatedAt }: SessionView,
): Promise<SessionStatistics> {
  const countOf = (table: 'messages' | 'runs' | 'calls') =>
    db
      .selectFrom(table)
      .select(sql<number>`count(*)::int`.as('count'))
      .where('session_id', '=', id)
      .executeTakeFirstOrThrow()
  const spent = await db
    .selectFrom('model_calls')
    .select([
      sql<number>`coalesce(sum(input), 0)::float`.as('input'),
      sql<number>`coalesce(sum(output), 0)::float`.as('output'),
      sql<number>`coalesce(sum(cost), 0)::float`.as('cost'),
    ])
    .where('session_id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    messages: (await countOf('messages')).count,
    runs: (await countOf('runs')).count,
    calls: (await countOf('calls')).count,
    inputTokens: spent.input,
    outputTokens: spent.output,
    costUsd: spent.cost / nanosPerDollar,
    lastActivityAt: updatedAt,
  }
}
