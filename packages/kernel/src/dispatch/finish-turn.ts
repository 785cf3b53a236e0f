/** Owns bringing a turn's calls to their end: authorize, execute, ask in order, park. Can begin again at any point. */
import type { CallReply, TurnResult } from '@countersign/agent'
import {
  type ApprovalSubject,
  type CallId,
  isFresh,
  joinLabels,
  type ParkReason,
  type PictureFile,
  type ToolCatalogue,
} from '@countersign/contract'
import { subjectOf } from '../approvals/approval-row.ts'
import { countUndecided, freeSpace } from '../approvals/inbox.ts'
import { lockHeld } from '../store/run-row.ts'
import { json, storable } from '../store/store.ts'
import { authorize, type IntendedCall, recordIntent } from './authorize.ts'
import { type CallRow, callsOfTurn, type EndedCall, emitEnded, endCallsOf } from './call-rows.ts'
import { completedParents, continueParent } from './child-calls.ts'
import {
  type Caller,
  checkStopAndPause,
  type DispatchPorts,
  renewTools,
  type SettingsMoved,
} from './dispatch-ports.ts'
import { executePermits } from './execute-permits.ts'
import { isStoppedByAlarm, ledgerAlarmText } from './ledger-alarm.ts'
import { answeredCalls, readingCalls } from './readers.ts'

/** With the pictures that its calls made. */
export type FinishedTurn =
  | Exclude<TurnResult, { kind: 'results' }>
  | (Omit<Extract<TurnResult, { kind: 'results' }>, 'shown'> & { readonly pictures: readonly PictureFile[] })

export async function finishTurn(
  caller: Caller,
  turn: number,
  /** Aborted when the run is to stop; effects under way are cancelled. */
  signal: AbortSignal,
  ports: DispatchPorts,
  /** The turn's calls, when they were proposed just now. */
  fresh?: readonly CallRow[],
): Promise<FinishedTurn> {
  const read = () => ports.store.single(caller.held.operator, (db) => callsOfTurn(db, caller.held.id, turn))
  let rows: readonly CallRow[] = fresh?.some((row) => row.turn === turn) ? fresh : await read()
  /** Calls that would ask and found no space in the inbox. */
  const held = new Set<CallId>()
  for (;;) {
    const begun = rows.filter((row) => row.state === 'intended')
    if (begun.length > 0) {
      await executePermits(caller, begun.flatMap(intendedOf), signal, ports)
      rows = await read()
      continue
    }
    const proposed = inOrder(rows).filter((row) => row.state === 'proposed' && !held.has(row.id))
    if (proposed.length > 0) {
      const mayPark = rows.every((row) => ['proposed', 'waiting', 'ended'].includes(row.state))
      const authorization = await authorize(caller, proposed, mayPark, ports)
      if (authorization.kind !== 'go') return authorization
      for (const id of authorization.held) held.add(id)
      const executed = await executePermits(caller, authorization.intended, signal, ports)
      const known = repliesIfEnded(rows, executed.ended)
      if (known && executed.control) {
        const pictures = [...rows, ...executed.ended].flatMap((each) => each.pictures ?? [])
        return { kind: 'results', replies: known, control: executed.control, pictures }
      }
      rows = await read()
      continue
    }
    const whole = completedParents(rows)
    if (whole.length > 0) {
      await continueParents(caller, whole, rows, ports)
      rows = await read()
      continue
    }
    const head = rows.find((row) => row.state !== 'ended' && row.state !== 'waiting')
    if (!head) {
      const reading = readingCalls(rows)
      if (reading.length === 0) return turnResults(caller, rows, ports)
      const step = await takeAnswers(caller, reading, ports)
      if (step.kind !== 'again') return step
      rows = await read()
      continue
    }
    const step =
      head.state === 'approved'
        ? await spendApproval(caller, head, ports)
        : await parkOn(caller, head, held.size > 0, ports)
    if (step.kind === 'space') held.clear()
    if (step.kind === 'parked' || step.kind === 'stopped') return step
    if (step.kind === 'intended') await executePermits(caller, [step.intended], signal, ports)
    rows = await read()
  }
}

/** What a call asked for comes before the calls after it: they may build on what it does. */
function inOrder(rows: readonly CallRow[]): CallRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const placeOf = (row: CallRow): number => {
    const parent = row.parent_id === null ? undefined : byId.get(row.parent_id)
    return parent ? placeOf(parent) : row.position
  }
  const placed = rows.map((row) => ({ row, place: placeOf(row) }))
  return placed
    .toSorted((one, other) => one.place - other.place || one.row.position - other.row.position)
    .map(({ row }) => row)
}

/** The replies of a turn whose every call ended as far as is known here; undefined sends the caller to the table. */
function repliesIfEnded(rows: readonly CallRow[], ended: readonly EndedCall[]): CallReply[] | undefined {
  const ends = new Map(ended.map((call) => [call.id, call]))
  const replies: CallReply[] = []
  for (const row of rows) {
    if (row.parent_id !== null) return undefined
    if (row.state === 'ended') {
      replies.push(callReplyOf(row))
      continue
    }
    const end = ends.get(row.id)
    if (end?.state !== 'ended') return undefined
    replies.push(callReplyOf({ ...row, outcome: end.outcome, result_text: storable(end.text) }))
  }
  return replies
}

async function continueParents(
  caller: Caller,
  parents: readonly CallRow[],
  rows: readonly CallRow[],
  ports: DispatchPorts,
): Promise<void> {
  await ports.store.transact(caller.held.operator, async (unit) => {
    await lockHeld(unit, caller.held)
    for (const parent of parents) {
      const ended = await continueParent(unit, parent, rows, caller.catalogue)
      if (ended) emitEnded(unit, parent, ended)
    }
  })
}

async function turnResults(
  caller: Caller,
  rows: readonly CallRow[],
  ports: DispatchPorts,
): Promise<FinishedTurn> {
  // It may be long ago that it was seen.
  caller.settingsSeen = undefined
  const { value } = await ports.store.transact(caller.held.operator, async (unit) => {
    const run = await lockHeld(unit, caller.held)
    return { control: await ports.control(unit, run), toolCalls: run.tool_calls }
  })
  const pictures = rows.flatMap((row) => row.pictures ?? [])
  const replies = rows.filter((row) => row.parent_id === null).map(callReplyOf)
  return { kind: 'results', replies, pictures, ...value }
}

export function callReplyOf(
  row: Pick<CallRow, 'model_id' | 'model_tool' | 'result_text' | 'outcome' | 'edited_from' | 'args'>,
): CallReply {
  const edit = row.edited_from ? `The operator changed the arguments to ${row.args} first.\n` : ''
  return {
    callId: row.model_id,
    name: row.model_tool,
    text: `${edit}${row.result_text}`,
    isError: row.outcome !== 'ok',
  }
}

type SpendStep = TurnStep | SettingsMoved

type TurnStep =
  | { readonly kind: 'again' }
  /** Something was decided meanwhile: what found no space is looked at again. */
  | { readonly kind: 'space' }
  | { readonly kind: 'intended'; readonly intended: IntendedCall }
  | { readonly kind: 'parked'; readonly on: ParkReason }
  | { readonly kind: 'stopped' }

/** Parks on the call unless it was decided meanwhile; the verdict and the park see each other through the run's lock. */
async function parkOn(
  caller: Caller,
  head: CallRow,
  /** Others would ask and found no space. */
  othersWait: boolean,
  ports: DispatchPorts,
): Promise<TurnStep> {
  const { value } = await ports.store.transact(caller.held.operator, async (unit): Promise<TurnStep> => {
    const run = await lockHeld(unit, caller.held)
    if (run.stop_requested_at) return { kind: 'stopped' }
    const waiting = othersWait ? await countUndecided(unit.db, unit.operator, run.id) : undefined
    if (waiting && freeSpace(waiting) > 0) return { kind: 'space' }
    const now = await unit.db
      .selectFrom('calls')
      .select('state')
      .where('id', '=', head.id)
      .executeTakeFirstOrThrow()
    if (now.state === 'proposed' && waiting) {
      const full = waiting.ofRun > 0 ? 'approval' : 'inbox'
      await ports.park(unit, caller.held, full)
      return { kind: 'parked', on: full }
    }
    if (now.state !== 'asked' && now.state !== 'unknown') return { kind: 'again' }
    const on = head.approval_id && now.state === 'asked' ? 'approval' : 'question'
    await ports.park(unit, caller.held, on)
    return { kind: 'parked', on }
  })
  return value
}

/** Takes what readers answered. While all of them read the run parks; the end of one and the park see each other. */
async function takeAnswers(
  caller: Caller,
  reading: readonly CallRow[],
  ports: DispatchPorts,
): Promise<Extract<TurnStep, { kind: 'again' | 'parked' | 'stopped' }>> {
  const { value } = await ports.store.transact(caller.held.operator, async (unit) => {
    const run = await lockHeld(unit, caller.held)
    if (run.stop_requested_at) return { step: { kind: 'stopped' as const }, label: run.label }
    const ended = await answeredCalls(unit.db, reading)
    if (ended.length === 0) {
      await ports.park(unit, caller.held, 'reader')
      return { step: { kind: 'parked' as const, on: 'reader' as const }, label: run.label }
    }
    const label = ended.flatMap((call) => call.label ?? []).reduce(joinLabels, run.label)
    await endCallsOf(unit, run, ended, label, ports.settings)
    for (const call of ended) {
      const row = reading.find(({ id }) => id === call.id)
      if (row) emitEnded(unit, row, call)
    }
    return { step: { kind: 'again' as const }, label }
  })
  caller.label = joinLabels(caller.label, value.label)
  return value.step
}

/** Spends an approval: permit, intent and ledger entry in one transaction, or a new request if the world moved on. */
async function spendApproval(caller: Caller, head: CallRow, ports: DispatchPorts): Promise<TurnStep> {
  if (!head.approval_id) throw new Error(`${head.id} was approved without an approval`)
  const approval = await ports.approvals.find(caller.held.operator, head.approval_id)
  const subject = subjectOf(approval)
  const stale =
    subject.policy !== ports.policies.current().hash
      ? 'The policy changed after the approval.'
      : subject.gateway.epoch !== ports.gateway.epoch
        ? 'The gateway was restored after the approval.'
        : !approval.seal || !isFresh(approval.seal.decidedAt, ports.clock())
          ? 'The approval was not used within ten minutes.'
          : !isToolAsSealed(subject, caller.catalogue)
            ? 'The tool was changed or switched off after the approval.'
            : null
  const { value } = await ports.store.transact(caller.held.operator, async (unit): Promise<SpendStep> => {
    const check = await checkStopAndPause(unit, caller, ports)
    if (check.kind !== 'go') return check
    const alarm = isStoppedByAlarm(check.ledgerAlarm, subject.tier) ? ledgerAlarmText : null
    const reason = stale ?? alarm
    if (reason || !approval.seal || !(await ports.approvals.spend(unit, approval.id))) {
      await ports.approvals.supersede(unit, approval.id, reason ?? 'The approval can no longer be used.')
      await unit.db
        .updateTable('calls')
        .set({ state: 'proposed', approval_id: null })
        .where('id', '=', head.id)
        .execute()
      return { kind: 'again' }
    }
    const permit = { subject, seal: approval.seal }
    await unit.db
      .updateTable('calls')
      .set({ state: 'intended', permit: json(permit), nonce: subject.nonce, intended_at: unit.now })
      .where('id', '=', head.id)
      .execute()
    recordIntent(unit, caller, head, permit, approval.digest)
    return { kind: 'intended', intended: { row: head, permit } }
  })
  if (value.kind !== 'moved') return value
  await renewTools(caller, value.settings, ports.tools)
  return { kind: 'again' }
}

/** The operator still has the tool that was approved, and asks no more for it than then. Pure. */
function isToolAsSealed({ tool, tier }: ApprovalSubject, catalogue: ToolCatalogue): boolean {
  const now = catalogue.find(tool.name)
  return now?.version === tool.version && now.definition === tool.definition && now.floor <= tier
}

function intendedOf(row: CallRow): IntendedCall[] {
  return row.permit ? [{ row, permit: row.permit }] : []
}
