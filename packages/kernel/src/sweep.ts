/** Owns what a kernel looks after by itself: what a crash left behind, what is over, and whom it is time to wake. */
import type { Engine } from '@countersign/engine'
import type { Alarm } from './alarm.ts'
import type { Approvals } from './approvals/approvals.ts'
import { endUnusedGrants } from './approvals/grants.ts'
import type { Budgets } from './budgets/budgets.ts'
import type { Lanes } from './lanes/lanes.ts'
import { forgetRecordPermitUses } from './records/record-transactions.ts'
import type { Runs } from './runs/runs.ts'
import type { Storage } from './storage.ts'

export interface Sweep {
  close(): void
}

interface SweepParts {
  readonly storage: Storage
  readonly lanes: Lanes
  readonly runs: Runs
  readonly engine: Engine
  readonly approvals: Approvals
  readonly budgets: Budgets
  readonly alarm: Alarm
  readonly wake: (now: Date) => Promise<Date | null>
  readonly stopStrayReaders: () => Promise<void>
}

const usualMs = 15_000
const day = 24 * 60 * 60_000

export async function startSweep(parts: SweepParts, everyMs = usualMs): Promise<Sweep> {
  const { lanes, runs, engine, approvals, budgets, alarm, storage } = parts
  const { store, modelCosts } = storage
  const { operator, clock, onProblem } = storage.options
  let forgotten = new Date(0)

  /** Segments that never started, requests whose time is over, a pause half lifted. */
  async function sweepOnce(olderThanMs: number): Promise<void> {
    const waiting = await lanes.waitingSegments(new Date(clock().getTime() - olderThanMs))
    if (waiting.length > 0) {
      for (const ref of await engine.unknown(waiting)) engine.start(ref).catch(onProblem)
      for (const ref of await engine.abandoned(waiting)) await runs.abandon(ref)
    }
    await approvals.expire(clock())
    await modelCosts.loseOldCalls(operator)
    alarm.set(await parts.wake(clock()))
    await lanes.wakeForInbox(operator)
    await lanes.wakeForReaders(operator)
    await parts.stopStrayReaders()
    if (clock().getTime() - forgotten.getTime() > day / 24) {
      forgotten = clock()
      await store.transact(operator, (unit) => endUnusedGrants(unit, { kind: 'gateway', id: 'gateway' }))
      await forgetRecordPermitUses(store, operator, new Date(forgotten.getTime() - day))
      await budgets.forgetPeriods(operator, new Date(forgotten.getTime() - 100 * day))
    }
  }

  await sweepOnce(0)
  await lanes.wakePaused(operator)
  const timer = setInterval(() => {
    sweepOnce(everyMs).catch(onProblem)
  }, everyMs)

  return { close: () => clearInterval(timer) }
}
