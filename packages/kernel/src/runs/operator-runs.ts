/**
 * Owns runs without a model: the operator takes earlier effects back, makes a call by hand, or lets one be asked that was
 * held. Their calls go through the same door as a model's, and nothing about them is easier.
 */
import type { SegmentEnd } from '@countersign/agent'
import {
  type CallId,
  CountersignError,
  idFrom,
  joinLabels,
  type Label,
  type LetAskReply,
  letAskText,
  noteLabel,
  type OperatorId,
  operatorLabel,
  type Requester,
  type RunId,
  type SessionId,
  type UnaskedId,
  undoNoteText,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { sql } from 'kysely'
import { lockUnasked, takeUnasked } from '../asked-for/unasked.ts'
import { insertCalls, type NewCall } from '../dispatch/call-rows.ts'
import { canonicalizeOwn } from '../dispatch/canonicalize.ts'
import type { Caller, DispatchPorts } from '../dispatch/dispatch-ports.ts'
import { finishTurn } from '../dispatch/finish-turn.ts'
import { originLabels, proposalRows } from '../dispatch/record-proposals.ts'
import { usualWork } from '../lanes/admission.ts'
import type { Lanes } from '../lanes/lanes.ts'
import { lockHeld, lockRun, updateHeld } from '../store/run-row.ts'
import { sessionTitle } from '../store/session-title.ts'
import { type Actor, json, type Store, type Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'

/** The call that was to take this one back went well; an undo that failed or was denied can be asked for again. */
const wasUndone = sql<boolean>`exists (
  select 1 from calls as undoing
  where undoing.run_id = calls.undone_by and undoing.model_id = calls.id and undoing.outcome = 'ok')`

export interface OperatorRunsOptions {
  readonly store: Store
  readonly lanes: Lanes
  readonly dispatch: DispatchPorts
  readonly uuid: () => string
}

/** What stands in the conversation for a run that nobody wrote a message for. */
interface Note {
  readonly text: string
  /** What the words are worth; null where they are the operator's own. */
  readonly label: Label | null
  /** For whom it is done; left out, for the operator. */
  readonly work?: Work
  /** Who asked for it; left out, whoever acts. */
  readonly requester?: Requester | undefined
}

/** A call without a model. What led to it may be worth less than the operator's word, never more. */
export interface DirectCall {
  readonly tool: string
  readonly args: string
  readonly label?: Label
  /** For whom it is made, where that is not the operator: it may do no more than they may. Its label is needed then. */
  readonly requester?: Requester
  /** The gateway makes it itself, of what they sent: it may name a tool that is offered to nobody. */
  readonly byGateway?: true
}

type OperatorRunKind = 'undo' | 'direct' | 'unasked'

export type OperatorRuns = ReturnType<typeof createOperatorRuns>

export function createOperatorRuns(options: OperatorRunsOptions) {
  const { store, lanes, dispatch } = options

  /** Each turn is brought to its end before the next begins; the first that fails ends the run. */
  async function carryOut(caller: Caller, kind: OperatorRunKind, effects: AbortSignal): Promise<SegmentEnd> {
    const { held } = caller
    const turns = await store.single(held.operator, (db) =>
      db
        .selectFrom('calls')
        .select('turn')
        .distinct()
        .where('run_id', '=', held.id)
        .orderBy('turn')
        .execute(),
    )
    for (const { turn } of turns) {
      await store.transact(held.operator, async (unit) => {
        await updateHeld(unit, held, { turn })
      })
      const settled = await finishTurn(caller, turn, effects, dispatch)
      if (settled.kind === 'parked') return settled
      if (settled.kind === 'stopped' || settled.control.stop) {
        return { kind: 'ended', reason: 'manual', message: 'Stopped by the operator.' }
      }
      const failed = settled.replies.find((reply) => reply.isError)
      const what = kind === 'undo' ? 'Could not be undone' : 'Could not be done'
      if (failed) return { kind: 'ended', reason: 'error', message: `${what}: ${failed.text}` }
    }
    const message = kind === 'undo' ? `Undid ${turns.length}.` : ''
    await store.transact(held.operator, async (unit) => {
      await lanes.finish(unit, await lockHeld(unit, held), 'completed', message)
    })
    return { kind: 'completed' }
  }

  /** Takes back what a run did, as far as it can be taken back: each effect in a turn of its own, newest first. */
  async function undoRun(
    operator: OperatorId,
    id: RunId,
    actor: Actor,
    only?: readonly CallId[],
  ): Promise<{ run: RunId; calls: number; ledger: number }> {
    const catalogue = await dispatch.tools.open(operator)
    const committed = await store.transact(operator, async (unit) => {
      const run = await lockRun(unit, id)
      if (!run) throw new CountersignError('not_found', `There is no run ${id}.`)
      if (run.state !== 'stopped')
        throw new CountersignError('conflict', 'The run is not over. Stop it first.')
      const session = await lockIdle(unit, run.session_id)
      const undoable = await unit.db
        .selectFrom('calls')
        .select(['id', 'undo', 'tool'])
        .where('run_id', '=', id)
        .where('undo', 'is not', null)
        .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
        .where((where) => where.or([where('undone_by', 'is', null), where.not(wasUndone)]))
        .orderBy('turn', 'desc')
        .orderBy('position', 'desc')
        .execute()
      if (undoable.length === 0) {
        throw new CountersignError('usage', 'Nothing in this run can be undone.', {
          next: `See what it did with \`countersign run show ${id}\`.`,
        })
      }
      const turns = undoable.flatMap(({ id: call, undo }): NewCall[][] => {
        if (!undo) return []
        const canonicalized = canonicalizeOwn(undo, catalogue)
        if (canonicalized.kind === 'invalid')
          throw new CountersignError(
            'conflict',
            `${undo.tool} can no longer undo it: ${canonicalized.reason}`,
          )
        const { args, headline } = canonicalized.call
        const written = {
          modelId: call,
          modelTool: undo.tool,
          rawArgs: args,
          tool: undo.tool,
          args,
          headline,
        }
        const alone = { parent: null, requester: null, origin: null, invalid: null }
        const id = idFrom('call', options.uuid())
        return [[{ id, position: 0, state: 'proposed', ...written, ...alone }]]
      })
      const note = { text: undoNoteText(id, undoable), label: joinLabels(run.label, noteLabel) }
      const undoing = await start(unit, session, note, 'undo', turns, actor)
      unit.record({
        type: 'run.undo_requested',
        actor,
        session: session.id,
        run: undoing.run,
        data: { input: undoing.input, undoes: id, calls: undoable.map((call) => call.id) },
      })
      const ids = undoable.map((call) => call.id)
      await unit.db.updateTable('calls').set({ undone_by: undoing.run }).where('id', 'in', ids).execute()
      return { run: undoing.run, calls: undoable.length }
    })
    return { ...committed.value, ledger: committed.ledger }
  }

  /** A call that the operator makes themselves, in a session of its own. */
  async function call(
    operator: OperatorId,
    { label: cause, requester, byGateway, ...proposed }: DirectCall,
    actor: Actor,
  ): Promise<{ run: RunId; session: SessionId; ledger: number }> {
    const catalogue = await dispatch.tools.open(operator)
    // Somebody else reaches no more tools than a model does.
    const by = requester === undefined || byGateway ? ({ by: 'operator' } as const) : {}
    const place = { uuid: options.uuid, first: 0, ...by }
    const modelId = requester === undefined ? 'operator' : requester.kind
    const calls = proposalRows([{ ...proposed, modelId }], catalogue, place)
    const [first] = calls
    if (!first || first.invalid !== null)
      throw new CountersignError('usage', first?.invalid ?? 'There is no call.', {
        next: `See what it takes with \`countersign tool show ${proposed.tool}\`.`,
      })
    const origins = originLabels(calls)
    const label = [...origins, ...(cause ? [cause] : [])].reduce(joinLabels, operatorLabel)
    const committed = await store.transact(operator, async (unit) => {
      const id = idFrom('ses', options.uuid())
      await unit.db
        .insertInto('sessions')
        .values({
          operator_id: operator,
          id,
          title: sessionTitle(first.headline),
          created_at: unit.now,
          updated_at: unit.now,
          active_run_id: null,
          // Nobody talks in it.
          hidden_at: unit.now,
          label: json(label),
        })
        .execute()
      // The operator wrote the arguments; what is said of them is theirs unless a made tool says it.
      const who = requester === undefined ? 'by hand' : `for ${requester.id}`
      const note = {
        text: `Called ${who}: ${first.headline}`,
        label: label === operatorLabel ? null : label,
        requester,
      }
      const { run, input } = await start(unit, { id, label }, note, 'direct', [calls], actor)
      unit.record({ type: 'run.direct', actor, session: id, run, data: { input, tool: first.tool } })
      return { run, session: id }
    })
    return { ...committed.value, ledger: committed.ledger }
  }

  /** Proposes a call again that was held because nobody had asked for it, to the byte. It asks, whatever else is so. */
  async function letAsk(
    operator: OperatorId,
    { id, call }: { readonly id: UnaskedId; readonly call: CallId },
    actor: Actor,
  ): Promise<LetAskReply> {
    const catalogue = await dispatch.tools.open(operator)
    const committed = await store.transact(operator, async (unit) => {
      const { session } = await lockUnasked(unit, id, call)
      const lane = await lockIdle(unit, session)
      const held = await unit.db
        .selectFrom('calls')
        .innerJoin('runs', 'runs.id', 'calls.run_id')
        .select([
          'calls.tool',
          'calls.args',
          'calls.requester',
          'calls.judged',
          'runs.label',
          'agent',
          'goal',
        ])
        .where('calls.id', '=', call)
        .where('calls.outcome', '=', 'held')
        .executeTakeFirstOrThrow()
      const again = canonicalizeOwn(held, catalogue)
      // What was taken out of its arguments since, or is read in another way by now, is another call.
      const isSame = sha256Hex(held.args) === held.judged?.argsHash
      if (!isSame || again.kind !== 'canonical' || again.call.args !== held.args)
        throw new CountersignError('conflict', `${held.tool} no longer takes these arguments.`, {
          next: 'Ask for it in your own words.',
        })
      const { headline, origin } = again.call
      const { tool, args, requester, agent, goal } = held
      const work = { ...usualWork, agent, goal }
      if (await lanes.isPaused(unit, work))
        throw new CountersignError('conflict', 'What it was done for is on hold. Let it go on first.')
      const written = { modelId: call, modelTool: tool, rawArgs: args, tool, args, headline, requester }
      const alone = { position: 0, parent: null, origin: null, invalid: null, state: 'proposed' as const }
      const proposed: NewCall = { id: idFrom('call', options.uuid()), ...written, ...alone }
      const label = [held.label, noteLabel, ...(origin ? [origin.label] : [])].reduce(joinLabels)
      const note = { text: letAskText(tool), label }
      const { run, input } = await start(unit, lane, { ...note, work }, 'unasked', [[proposed]], actor)
      await takeUnasked(unit, { id, call, run })
      unit.record({ type: 'unasked.let', actor, session, run, call, data: { input, row: id, tool } })
      return { session, run }
    })
    return { ...committed.value, ledger: committed.ledger }
  }

  async function start(
    unit: Unit,
    session: Parameters<Lanes['createRun']>[1],
    note: Note,
    kind: OperatorRunKind,
    turns: readonly (readonly NewCall[])[],
    actor: Actor,
  ) {
    const input = idFrom('inp', options.uuid())
    await unit.db
      .insertInto('inputs')
      .values({
        operator_id: unit.operator,
        id: input,
        session_id: session.id,
        run_id: null,
        key: `${kind}/${input}`,
        mode: 'queue',
        text: note.text,
        requester: json(note.requester ?? { kind: 'operator', id: actor.id }),
        state: 'queued',
        created_at: unit.now,
        label: note.label && json(note.label),
      })
      .execute()
    const { text } = note
    if (kind !== 'direct')
      unit.emit({ type: 'input.admitted', session: session.id, input, run: null, text, mode: 'queue' })
    const run = await lanes.createRun(unit, session, { id: input, ...note }, kind)
    const held = { operator: unit.operator, id: run, session: session.id, input, segment: 1, fence: 0 }
    for (const [index, calls] of turns.entries()) await insertCalls(unit, held, index + 1, calls)
    return { run, input }
  }

  return { carryOut, undoRun, call, letAsk }
}

/** The session while nothing works in it. */
async function lockIdle(unit: Unit, id: SessionId) {
  const session = await unit.db
    .selectFrom('sessions')
    .select(['id', 'active_run_id', 'label'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (session.active_run_id)
    throw new CountersignError('conflict', 'Another run of this session is not over. Wait for it or stop it.')
  return session
}
