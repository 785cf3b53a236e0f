/**
 * Owns what a run does at a limit of money: it proposes to be allowed more, which is a call like any other, decided,
 * shown and sealed, and goes on or ends with the operator's verdict. The model neither makes that call nor sees it.
 */
import type { Control, SegmentEnd, Shortage } from '@countersign/agent'
import { canonicalText, idFrom, type OperatorId, type RunId } from '@countersign/contract'
import { type CallRow, insertCalls } from '../dispatch/call-rows.ts'
import { canonicalizeOwn } from '../dispatch/canonicalize.ts'
import type { Caller, DispatchPorts } from '../dispatch/dispatch-ports.ts'
import { finishTurn } from '../dispatch/finish-turn.ts'
import { lockHeld } from '../store/run-row.ts'
import type { Store } from '../store/store.ts'

export type BudgetRequestResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'go'; readonly control: Control }
  | { readonly kind: 'end'; readonly end: Exclude<SegmentEnd, { kind: 'failing' | 'short' }> }

const tool = 'allow_spending'

export function createBudgetRequests(options: {
  readonly store: Store
  readonly dispatch: DispatchPorts
  readonly uuid: () => string
}) {
  const { store, dispatch } = options

  /** The last such call of the turn that is about to begin. These have turns of their own, below zero. */
  async function latest(caller: Caller): Promise<CallRow | undefined> {
    return store.single(caller.held.operator, (db) =>
      db
        .selectFrom('calls')
        .selectAll()
        .where('run_id', '=', caller.held.id)
        .where('turn', '<', 0)
        .orderBy('turn')
        .limit(1)
        .executeTakeFirst(),
    )
  }

  async function ask(caller: Caller, shortage: Shortage): Promise<void> {
    const { held } = caller
    const { budget, subject, period } = shortage
    const args = canonicalText({
      budget,
      subject,
      period,
      nanos: amountFor(shortage),
      because: shortage.message,
    })
    const canonicalized = canonicalizeOwn({ tool, args }, caller.catalogue)
    if (canonicalized.kind === 'invalid')
      throw new Error(`more budget cannot be requested: ${canonicalized.reason}`)
    const before = (await latest(caller))?.turn ?? 0
    await store.transact(held.operator, async (unit) => {
      await lockHeld(unit, held)
      const { args: own, headline } = canonicalized.call
      const written = { modelId: 'gateway', modelTool: tool, rawArgs: own, tool, args: own, headline }
      const alone = { parent: null, requester: null, origin: null, invalid: null }
      const id = idFrom('call', options.uuid())
      await insertCalls(unit, held, before - 1, [
        { id, position: 0, state: 'proposed', ...written, ...alone },
      ])
      unit.record({
        type: 'run.short',
        actor: { kind: 'gateway', id: 'gateway' },
        session: held.session,
        run: held.id,
        call: id,
        data: { ...shortage },
      })
    })
  }

  /** Brings the call to its end, or parks on it. A verdict against it ends the run; other words let it try again. */
  async function finishLatest(caller: Caller, signal: AbortSignal): Promise<BudgetRequestResult> {
    const row = await latest(caller)
    if (!row) return { kind: 'none' }
    if (row.state === 'ended') return row.outcome === 'denied' ? refusedRequest(row) : { kind: 'none' }
    const finished = await finishTurn(caller, row.turn, signal, dispatch)
    if (finished.kind === 'parked') return { kind: 'end', end: finished }
    if (finished.kind === 'stopped') {
      return { kind: 'end', end: { kind: 'ended', reason: 'manual', message: 'Stopped by the operator.' } }
    }
    const ended = await latest(caller)
    // Anything but a verdict against it lets the run try again: the limit may be another by now.
    return ended?.outcome === 'denied' ? refusedRequest(ended) : { kind: 'go', control: finished.control }
  }

  /** The runs that are parked on such a call. */
  async function waiting(operator: OperatorId): Promise<RunId[]> {
    const rows = await store.single(operator, (db) =>
      db.selectFrom('calls').select('run_id').where('tool', '=', tool).where('state', '=', 'asked').execute(),
    )
    return rows.map((row) => row.run_id)
  }

  return { ask, finish: finishLatest, waiting }
}

function refusedRequest({ result_text: words }: Pick<CallRow, 'result_text'>): BudgetRequestResult {
  return { kind: 'end', end: { kind: 'ended', reason: 'budget', message: `It may not spend more. ${words}` } }
}

/** Enough for some calls like this one, or a quarter of the limit: asking for every cent would be no control. */
function amountFor({ limitNanos, takenNanos, neededNanos }: Shortage): number {
  const missing = Math.max(0, takenNanos + neededNanos - limitNanos)
  const wanted = Math.max(missing + 4 * neededNanos, limitNanos / 4)
  const step = 10 ** Math.max(6, Math.floor(Math.log10(Math.max(1, wanted))) - 1)
  return Math.ceil(wanted / step) * step
}
