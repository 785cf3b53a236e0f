/**
 * Owns what a run does at a limit of money: it proposes to be allowed more, which is a call like any other, judged,
 * shown and sealed, and goes on or ends with the operator's verdict. The model neither makes that call nor sees it.
 */
import type { Control, SegmentEnd, Shortage } from '@countersign/agent'
import { canonicalText, idFrom, type OperatorId, type RunId } from '@countersign/contract'
import { type CallRow, insertCalls } from '../dispatch/calls.ts'
import type { Caller, DispatchPorts } from '../dispatch/context.ts'
import { prepareOwn } from '../dispatch/prepare.ts'
import { settle } from '../dispatch/settle.ts'
import { lockHeld } from '../store/run-row.ts'
import type { Store } from '../store/store.ts'

export type Asked =
  | { readonly kind: 'none' }
  | { readonly kind: 'go'; readonly control: Control }
  | { readonly kind: 'end'; readonly end: Exclude<SegmentEnd, { kind: 'failing' | 'short' }> }

const tool = 'allow_spending'

export function createAllowance(options: {
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
    const prepared = prepareOwn({ tool, args }, caller.catalogue)
    if (prepared.kind === 'invalid') throw new Error(`more money cannot be asked for: ${prepared.reason}`)
    const before = (await latest(caller))?.turn ?? 0
    await store.transact(held.operator, async (unit) => {
      await lockHeld(unit, held)
      const { args: own, headline } = prepared.call
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
  async function settleLatest(caller: Caller, signal: AbortSignal): Promise<Asked> {
    const row = await latest(caller)
    if (!row) return { kind: 'none' }
    if (row.state === 'ended') return row.outcome === 'denied' ? refused(row) : { kind: 'none' }
    const settled = await settle(caller, row.turn, signal, dispatch)
    if (settled.kind === 'parked') return { kind: 'end', end: settled }
    if (settled.kind === 'stopped') {
      return { kind: 'end', end: { kind: 'ended', reason: 'manual', message: 'Stopped by the operator.' } }
    }
    const ended = await latest(caller)
    // Anything but a verdict against it lets the run try again: the limit may be another by now.
    return ended?.outcome === 'denied' ? refused(ended) : { kind: 'go', control: settled.control }
  }

  /** The runs that are parked on such a call. */
  async function waiting(operator: OperatorId): Promise<RunId[]> {
    const rows = await store.single(operator, (db) =>
      db.selectFrom('calls').select('run_id').where('tool', '=', tool).where('state', '=', 'asked').execute(),
    )
    return rows.map((row) => row.run_id)
  }

  return { ask, settle: settleLatest, waiting }
}

function refused({ result_text: words }: Pick<CallRow, 'result_text'>): Asked {
  return { kind: 'end', end: { kind: 'ended', reason: 'budget', message: `It may not spend more. ${words}` } }
}

/** Enough for some calls like this one, or a quarter of the limit: asking for every cent would be no control. */
function amountFor({ limitNanos, takenNanos, neededNanos }: Shortage): number {
  const missing = Math.max(0, takenNanos + neededNanos - limitNanos)
  const wanted = Math.max(missing + 4 * neededNanos, limitNanos / 4)
  const step = 10 ** Math.max(6, Math.floor(Math.log10(Math.max(1, wanted))) - 1)
  return Math.ceil(wanted / step) * step
}
