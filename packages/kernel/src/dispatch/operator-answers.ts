/** Owns what a person's answer means for the call that waited for it. */
import { CountersignError, type OperatorId, type QuestionId, type ToolSource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { type ApprovalRow, subjectOf } from '../approvals/approval-row.ts'
import { type Approvals } from '../approvals/approvals.ts'
import {
  closeQuestion,
  openQuestions,
  type QuestionRow,
  unknownChoices,
  withdrawQuestion,
} from '../approvals/questions.ts'
import { lockRun, type RunRow } from '../store/run-row.ts'
import type { Actor, Store, Unit } from '../store/store.ts'
import { callsOfTurn, type EndedCall, emitEnded, writeEndedCalls } from './call-rows.ts'
import { canonicalizeOwn } from './canonicalize.ts'
import { interruptedText } from './child-calls.ts'

const tryAgain: (typeof unknownChoices)[number] = 'try again'

export interface AnswerPorts {
  readonly store: Store
  readonly resume: (unit: Unit, run: RunRow) => Promise<void>
}

/** A verdict on an approval reaches its call; the run goes on when nothing before it waits, or something can be asked. */
export async function verdictReached(
  unit: Unit,
  approval: ApprovalRow,
  run: RunRow,
  ports: AnswerPorts,
): Promise<void> {
  if (approval.state === 'approved') {
    await unit.db.updateTable('calls').set({ state: 'approved' }).where('id', '=', approval.call_id).execute()
  } else {
    await endCall(
      unit,
      approval,
      approval.state === 'withdrawn' ? 'withdrawn' : 'denied',
      verdictText(approval),
    )
  }
  if (run.state === 'parked' && waitsForPerson(run) && (await canContinue(unit, run)))
    await ports.resume(unit, run)
}

function waitsForPerson({ parked_on: on }: RunRow): boolean {
  return on === 'approval' || on === 'question'
}

async function canContinue(unit: Unit, run: RunRow): Promise<boolean> {
  const open = await unit.db
    .selectFrom('calls')
    .select('state')
    .where('run_id', '=', run.id)
    .where('turn', '=', run.turn)
    .where('state', 'not in', ['ended', 'waiting'])
    .orderBy('position')
    .execute()
  const head = open[0]?.state
  return (head !== 'asked' && head !== 'unknown') || open.some(({ state }) => state === 'proposed')
}

function verdictText(approval: ApprovalRow): string {
  if (approval.state === 'expired')
    return 'Nobody decided in time. Nothing was done; only the operator can ask again.'
  if (approval.state === 'withdrawn')
    return `The operator did not decide, and said instead: ${approval.reason ?? ''}`
  return approval.reason ? `The operator denied this: ${approval.reason}` : 'The operator denied this.'
}

async function endCall(
  unit: Unit,
  where: Pick<ApprovalRow, 'call_id'>,
  outcome: 'ok' | 'failed' | 'denied' | 'withdrawn',
  text: string,
): Promise<void> {
  const ended: EndedCall = {
    id: where.call_id,
    state: 'ended',
    outcome,
    text,
    summary: text,
    startedAt: null,
    undo: null,
    label: null,
  }
  await writeEndedCalls(unit, [ended])
  const call = await unit.db
    .selectFrom('calls')
    .select(['id', 'session_id', 'run_id', 'tool', 'headline'])
    .where('id', '=', where.call_id)
    .executeTakeFirstOrThrow()
  emitEnded(unit, call, ended)
}

/** The operator's own arguments take the place of the agent's: the request ends, and the call is authorized anew. */
export async function editCall(
  operator: OperatorId,
  ref: string,
  args: string,
  actor: Actor,
  ports: AnswerPorts & { readonly approvals: Approvals; readonly tools: ToolSource },
): Promise<number> {
  const seen = await ports.approvals.find(operator, ref)
  const { name: tool } = subjectOf(seen).tool
  const canonicalized = canonicalizeOwn({ tool, args }, await ports.tools.open(operator))
  if (canonicalized.kind === 'invalid')
    throw new CountersignError('usage', canonicalized.reason, {
      next: `See what ${tool} takes with \`countersign tool show ${tool}\`.`,
    })
  const { call } = canonicalized
  const committed = await ports.store.transact(operator, async (unit) => {
    const run = await lockRun(unit, seen.run_id)
    const reason = 'The operator changed the call.'
    const row = await ports.approvals.closeRequest(unit, seen.id, {
      state: 'superseded',
      by: actor,
      reason,
      seal: null,
    })
    if (!row || !run) throw await ports.approvals.tooLate(unit, seen.id)
    const { id, call_id, session_id: session, run_id } = row
    await unit.db
      .updateTable('calls')
      .set({
        state: 'proposed',
        approval_id: null,
        edited_from: id,
        args: call.args,
        headline: call.headline,
      })
      .where('id', '=', call_id)
      .execute()
    const data = { tool, before: sha256Hex(subjectOf(seen).args), after: sha256Hex(call.args) }
    unit.record({ type: 'call.edited', actor, session, run: run_id, call: call_id, approval: id, data })
    if (run.state === 'parked' && run.parked_on === 'approval') await ports.resume(unit, run)
  })
  return committed.ledger
}

/** The answer to a question, from any surface. */
export async function answerQuestion(
  operator: OperatorId,
  id: QuestionId,
  words: string,
  actor: Actor,
  ports: AnswerPorts,
): Promise<number> {
  const committed = await ports.store.transact(operator, async (unit) => {
    const seen = await unit.db.selectFrom('questions').selectAll().where('id', '=', id).executeTakeFirst()
    if (!seen) throw new CountersignError('not_found', `There is no question ${id}.`)
    if (seen.kind === 'server')
      throw new CountersignError('usage', `${id} is a question of a server, and words do not answer it.`, {
        next: `Answer its fields in the web app, or with \`countersign question answer ${id}\`.`,
      })
    const run = await lockRun(unit, seen.run_id)
    if (run?.state === 'stopped' && seen.kind === 'unknown' && words === tryAgain)
      throw new CountersignError('conflict', `${run.id} is over and cannot try it again.`, {
        next: `Answer \`done\` or \`not done\`, then send its message again with \`countersign run retry ${run.id}\`.`,
      })
    await takeAnswer(unit, seen, words, actor)
    if (run?.state === 'parked' && waitsForPerson(run)) await ports.resume(unit, run)
  })
  return committed.ledger
}

async function takeAnswer(unit: Unit, question: QuestionRow, words: string, actor: Actor): Promise<void> {
  await closeQuestion(unit, question, words, actor)
  if (question.kind === 'operator') return endCall(unit, question, 'ok', words)
  unit.record({
    type: 'effect.settled',
    actor,
    session: question.session_id,
    run: question.run_id,
    call: question.call_id,
    data: { answer: words },
  })
  if (words === 'done') return endCall(unit, question, 'ok', 'The operator says that it was done.')
  if (words === 'not done')
    return endCall(unit, question, 'failed', 'The operator says that it was not done.')
  await unit.db
    .updateTable('calls')
    .set((set) => ({
      state: 'proposed',
      outcome: null,
      attempt: set('attempt', '+', 1),
      nonce: null,
      permit: null,
      approval_id: null,
      ended_at: null,
    }))
    .where('id', '=', question.call_id)
    .execute()
}

/**
 * A message to a parked run: it answers the open question, or it takes back what waits for approval with the words as
 * the reason. An effect of unknown end needs a plain answer first. False leaves the message in the lane.
 */
export async function steerRun(
  unit: Unit,
  run: RunRow,
  words: string,
  actor: Actor,
  approvals: Approvals,
): Promise<boolean> {
  if (run.parked_on === 'paused') return false
  const questions = await openQuestions(unit, run.id)
  const settling = unknownChoices.some((choice) => choice === words)
  if (questions.some((question) => question.kind === 'unknown') && !settling) return false
  const settles = questions.some((question) => question.kind === 'unknown')
  for (const question of questions) await takeAnswer(unit, question, words, actor)
  // Words that settle an effect of unknown end mean that effect only; what else waits goes on waiting.
  if (!settles) await withdrawAll(unit, run, words, actor, approvals)
  return true
}

/** Takes back everything in the run that waits for a person. */
export async function withdrawAll(
  unit: Unit,
  run: RunRow,
  words: string,
  actor: Actor,
  approvals: Approvals,
): Promise<void> {
  for (const approval of await approvals.withdraw(unit, run.id, words, actor)) {
    await endCall(unit, approval, 'withdrawn', verdictText(approval))
  }
  const approved = await unit.db
    .selectFrom('calls')
    .select(['id', 'approval_id'])
    .where('run_id', '=', run.id)
    .where('state', 'in', ['approved', 'proposed'])
    .execute()
  for (const call of approved) {
    if (call.approval_id) await approvals.supersede(unit, call.approval_id, 'The operator went another way.')
    await endCall(unit, { call_id: call.id }, 'withdrawn', `The operator said instead: ${words}`)
  }
  const asked = (await openQuestions(unit, run.id)).filter((question) => question.kind === 'operator')
  for (const question of asked) {
    await withdrawQuestion(unit, question)
    await endCall(unit, question, 'withdrawn', `The operator said instead: ${words}`)
  }
  const rows = await callsOfTurn(unit.db, run.id, run.turn)
  for (const parent of rows.filter((row) => row.state === 'waiting').toReversed()) {
    await endCall(unit, { call_id: parent.id }, 'withdrawn', interruptedText(parent, rows, words))
  }
}
