/** Owns the end of what somebody began who is no longer let in: their runs, and what waits behind them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperatorId } from '@countersign/contract'
import type { Actor, Kernel } from '@countersign/kernel'
import { sql } from 'kysely'

const mostRounds = 100
const roundMs = 50

/** What they had begun ends with them, and what waits behind it as soon as it begins. */
export async function endWorkOf(
  kernel: Pick<Kernel, 'records' | 'stopRun'>,
  operator: OperatorId,
  requester: string,
  actor: Actor,
): Promise<void> {
  const { records } = kernel
  for (let round = 0; round < mostRounds; round += 1) {
    const active = await records.read(operator, ({ db }) =>
      db
        .selectFrom('runs')
        .innerJoin('inputs', 'inputs.id', 'runs.input_id')
        .select('runs.id')
        .where('runs.state', '<>', 'stopped')
        .where(sql`inputs.requester->>'id'`, '=', requester)
        .execute(),
    )
    const waits = await records.read(operator, ({ db }) =>
      db
        .selectFrom('inputs')
        .select('inputs.id')
        .where('state', '=', 'queued')
        .where(sql`requester->>'id'`, '=', requester)
        .limit(1)
        .execute(),
    )
    if (active.length === 0 && waits.length === 0) return
    for (const run of active) await kernel.stopRun(operator, run.id, actor)
    await sleep(roundMs)
  }
}
