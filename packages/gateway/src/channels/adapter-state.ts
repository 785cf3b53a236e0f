/** Owns what an adapter keeps for its next start. Only the adapter knows what it says. */
import type { OperatorId } from '@countersign/contract'
import type { RecordTransactions } from '@countersign/kernel'
import { channelDb } from './tables.ts'

export interface AdapterState {
  of(channel: string): Promise<string | null>
  keep(channel: string, state: string): Promise<void>
}

export function createAdapterState(
  records: Pick<RecordTransactions, 'single'>,
  operator: OperatorId,
): AdapterState {
  return {
    async of(channel) {
      const row = await records.single(operator, ({ db }) =>
        channelDb(db)
          .selectFrom('channel_states')
          .select('state')
          .where('channel', '=', channel)
          .executeTakeFirst(),
      )
      return row?.state ?? null
    },
    async keep(channel, state) {
      await records.single(operator, async ({ db }) => {
        await channelDb(db)
          .insertInto('channel_states')
          .values({ operator_id: operator, channel, state })
          .onConflict((conflict) => conflict.columns(['operator_id', 'channel']).doUpdateSet({ state }))
          .execute()
      })
    },
  }
}
