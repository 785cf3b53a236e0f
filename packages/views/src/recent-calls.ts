/** Owns what is remembered of the providers' health: how the last calls to each of them ended. */
import type { OperatorId } from '@countersign/contract'
import type { KernelTables, Reader } from '@countersign/kernel'
import type { Selectable } from 'kysely'

export interface RecentCall {
  readonly provider: string
  readonly model: string
  readonly at: number
  readonly outcome: Exclude<Selectable<KernelTables['model_calls']>['outcome'], 'lost' | null>
  readonly firstTokenMs: number | null
}

const most = 1_000

/** Oldest first. A call that was lost with its process says nothing of its provider. */
export function recentCalls(read: Reader, operator: OperatorId, since: Date): Promise<RecentCall[]> {
  return read(operator, async (db) => {
    const rows = await db
      .selectFrom('model_calls')
      .select(['provider', 'model', 'ended_at', 'outcome', 'first_token_ms'])
      .where('operator_id', '=', operator)
      .where('started_at', '>=', since)
      .orderBy('started_at', 'desc')
      .limit(most)
      .execute()
    return rows.toReversed().flatMap((row) =>
      row.ended_at && row.outcome && row.outcome !== 'lost'
        ? {
            provider: row.provider,
            model: row.model,
            at: row.ended_at.getTime(),
            outcome: row.outcome,
            firstTokenMs: row.first_token_ms,
          }
        : [],
    )
  })
}
