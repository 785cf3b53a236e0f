/**
 * Owns the end of a run that was told to stop and does not: after the grace it is ended in its place, and its conversation
 * is free. Whoever still works for it has lost its hold and can write nothing any more.
 */
import { stopLimits } from '@countersign/agent'
import type { CallId, OperatorId, RunId } from '@countersign/contract'
import { sql } from 'kysely'
import type { Approvals } from '../approvals/approvals.ts'
import { askQuestion, settledChoices } from '../approvals/questions.ts'
import type { ModelCosts } from '../budgets/model-costs.ts'
import { type CallRow, type EndedCall, emitEnded, writeEndedCalls } from '../dispatch/call-rows.ts'
import { markAbandoned } from '../dispatch/file-labels.ts'
import { withdrawAll } from '../dispatch/operator-answers.ts'
import type { Lanes } from '../lanes/lanes.ts'
import { lockRun, type RunRow } from '../store/run-row.ts'
import type { Actor, Store, Unit } from '../store/store.ts'

export interface ForcedEndPorts {
  readonly store: Store
  readonly lanes: Pick<Lanes, 'finish'>
  readonly approvals: Approvals
  readonly modelCosts: Pick<ModelCosts, 'loseCalls'>
  readonly uuid: () => string
}

export interface ForcedEnds {
  readonly ended: readonly RunId[]
  /** When the grace of the next one is over; null where nobody is waited for. */
  readonly next: Date | null
}

const { graceMs } = stopLimits
const gateway: Actor = { kind: 'gateway', id: 'gateway' }
const seconds = graceMs / 1_000
const forcedText = `Ended by force: it had not stopped ${seconds} seconds after it was told to.`

/** Safe to repeat, and in several processes at once. */
export async function endIgnoredStops(
  ports: ForcedEndPorts,
  operator: OperatorId,
  now: Date,
): Promise<ForcedEnds> {
  const told = await ports.store.single(operator, (db) =>
    db
      .selectFrom('runs')
      .select(['id', 'stop_requested_at as at'])
      .where('state', '<>', sql.lit('stopped' as const))
      .where('stop_requested_at', 'is not', null)
      .orderBy('stop_requested_at')
      .execute(),
  )
  const ended: RunId[] = []
  for (const { id, at } of told) {
    const due = new Date((at?.getTime() ?? 0) + graceMs)
    if (due > now) return { ended, next: due }
    await ports.store.transact(operator, (unit) => endByForce(ports, unit, id))
    ended.push(id)
  }
  return { ended, next: null }
}

async function endByForce(ports: ForcedEndPorts, unit: Unit, id: RunId): Promise<void> {
  const run = await lockRun(unit, id)
  if (!run || run.state === 'stopped' || run.stop_requested_at === null) return
  const doubtful = await loseBegunCalls(unit, run)
  await withdrawAll(unit, run, forcedText, gateway, ports.approvals)
  // Nobody waits for what the provider still says.
  await ports.modelCosts.loseCalls(unit, id)
  await unit.db.deleteFrom('segments').where('run_id', '=', id).execute()
  await ports.lanes.finish(unit, run, 'manual', `${forcedText}${doubtText(doubtful.length)}`)
  // After the end, which takes what waits for a person away: whether these were done is still to be said.
  for (const call of doubtful) await askQuestion(unit, doubtOf(run, call), ports.uuid)
}

/** Whatever was given to an executor may have happened, and nobody will see its end. Those that a person must settle. */
async function loseBegunCalls(unit: Unit, run: RunRow): Promise<CallRow[]> {
  await markAbandoned(unit, run)
  const begun = await unit.db
    .selectFrom('calls')
    .selectAll()
    .where('run_id', '=', run.id)
    .where('state', '=', 'intended')
    .orderBy('turn')
    .orderBy('position')
    .execute()
  const ends = begun.map((row) => ({ row, end: lostEnd(row) }))
  await writeEndedCalls(
    unit,
    ends.map(({ end }) => end),
  )
  for (const { row, end } of ends) {
    const { subject } = row.permit ?? {}
    unit.record({
      type: 'effect.outcome',
      actor: gateway,
      session: run.session_id,
      run: run.id,
      call: row.id,
      data: {
        tool: row.tool,
        tier: subject?.tier ?? null,
        nonce: row.nonce,
        key: subject?.key ?? null,
        result: end.outcome,
        summary: end.summary,
        started: null,
        undoable: false,
      },
    })
    emitEnded(unit, row, end)
  }
  return ends.filter(({ end }) => end.state === 'unknown').map(({ row }) => row)
}

/** What may happen twice, or changes nothing, leaves nobody a question. */
function lostEnd({ id, permit }: CallRow): EndedCall {
  const isOnce = permit?.subject.tool.effect === 'once'
  const text = `It was started, but its outcome is unknown. ${forcedText}`
  const nothing = { startedAt: null, undo: null, label: null }
  return { id, state: isOnce ? 'unknown' : 'ended', outcome: 'unknown', text, summary: text, ...nothing }
}

function doubtText(calls: number): string {
  if (calls === 0) return ''
  const which = calls === 1 ? 'a call' : `${calls} calls`
  return ` Whether ${which} under way did something is unknown.`
}

function doubtOf(run: RunRow, call: CallRow) {
  const since = call.intended_at?.toISOString() ?? 'an unknown time'
  return {
    kind: 'unknown' as const,
    session: run.session_id,
    run: run.id,
    call: call.id as CallId,
    text: `${call.headline}: this was begun at ${since}, and its run was ended before it answered. Was it done?`,
    choices: settledChoices,
  }
}
