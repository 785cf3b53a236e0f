/**
 * Owns questions that a server asks the operator during a call. They stand beside those of agents and are none: no message
 * answers them, no model does, and they approve nothing. Refuses to ask where nobody is there, and for anybody else.
 */
import {
  CountersignError,
  canonicalText,
  idFrom,
  type JsonValue,
  type OperatorId,
  type Permit,
  problemWithAnswers,
  type QuestionId,
  type QuestionReply,
  type RunId,
  type ServerAsks,
  type ServerForm,
  type ServerQuestion,
  type ServerReply,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { type Actor, json, type Store, storable, type Unit } from '../store/store.ts'
import type { Stream } from '../stream/stream.ts'

export interface ServerQuestionPorts {
  readonly store: Store
  readonly stream: Pick<Stream, 'listen'>
  readonly uuid: () => string
  readonly onProblem: (problem: unknown) => void
}

const nobody = 'Nobody is there to be asked in this run.'
const over = 'The call is over.'
const cancelled = (reason: string): ServerReply => ({ kind: 'cancelled', reason })

/** For the call of one permit. Never rejects. When it is aborted the question is taken back. */
export async function askForServer(
  ports: ServerQuestionPorts,
  permit: Permit,
  asked: ServerAsks,
  signal: AbortSignal,
): Promise<ServerReply> {
  const { operator } = permit.subject
  const closed = Promise.withResolvers<void>()
  let question: QuestionId | undefined
  const early = new Set<string>()
  try {
    const { stop } = await ports.stream.listen(operator, {
      delta: () => undefined,
      events(events) {
        for (const { body } of events) {
          if (body.type !== 'question.closed') continue
          early.add(body.question)
          if (body.question === question) closed.resolve()
        }
      },
    })
    try {
      const put = await ports.store.transact(operator, (unit) => putQuestion(unit, permit, asked, ports.uuid))
      if (typeof put.value !== 'string') return put.value
      question = put.value
      if (early.has(question)) closed.resolve()
      await Promise.race([closed.promise, aborted(signal)])
      return await takeReply(ports.store, operator, question)
    } finally {
      stop()
    }
  } catch (problem) {
    ports.onProblem(problem)
    return cancelled('The operator could not be asked.')
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resume) => signal.addEventListener('abort', () => resume(), { once: true }))
}

/** Gives what is said at once where nothing is asked. */
async function putQuestion(
  unit: Unit,
  { subject }: Permit,
  asked: ServerAsks,
  uuid: () => string,
): Promise<QuestionId | ServerReply> {
  const { session, run, call, requester, nonce } = subject
  const used = subject.resources.find((resource) => resource.type === 'server-tool')
  const found = await unit.db
    .selectFrom('calls')
    .innerJoin('runs', 'runs.id', 'calls.run_id')
    .select(['runs.unattended', 'runs.schedule'])
    .where('calls.id', '=', call)
    .where('calls.nonce', '=', nonce)
    .where('calls.state', '=', 'intended')
    .where('runs.state', '=', 'running')
    .executeTakeFirst()
  if (!found || !used) return cancelled(over)
  const { server, tool } = used
  const about = { session, run, call }
  const refuse = (reason: string): ServerReply => {
    unit.record({
      type: 'server.refused',
      actor: { kind: 'gateway', id: 'gateway' },
      ...about,
      data: { server, tool, reason },
    })
    return { kind: 'declined', reason }
  }
  if (asked.kind === 'refused') return refuse(asked.reason)
  if (requester.kind !== 'operator' || found.unattended || found.schedule !== null) return refuse(nobody)
  return showQuestion(unit, about, { server, tool, form: asked.form }, uuid)
}

async function showQuestion(
  unit: Unit,
  { session, run, call }: Pick<Permit['subject'], 'session' | 'run' | 'call'>,
  question: ServerQuestion,
  uuid: () => string,
): Promise<QuestionId> {
  const { server, tool, form } = question
  const id = idFrom('q', uuid())
  await unit.db
    .insertInto('questions')
    .values({
      operator_id: unit.operator,
      id,
      kind: 'server',
      call_id: call,
      run_id: run,
      session_id: session,
      text: storable(form.message),
      choices: json([]),
      server: json(question),
      state: 'open',
      answer: null,
      created_at: unit.now,
    })
    .execute()
  unit.record({
    type: 'server.asked',
    actor: { kind: 'gateway', id: 'gateway' },
    session,
    run,
    call,
    data: {
      question: id,
      server,
      tool,
      text: form.message.slice(0, 500),
      fields: form.fields.map(({ name }) => name),
    },
  })
  unit.emit({
    type: 'question.asked',
    session,
    run,
    question: id,
    call,
    kind: 'server',
    text: form.message,
    choices: [],
    server: question,
  })
  return id
}

/** What was said to it, which stays nowhere here; where nothing was, it is taken back. */
async function takeReply(store: Store, operator: OperatorId, question: QuestionId): Promise<ServerReply> {
  const { value } = await store.transact(operator, async (unit) => {
    const row = await unit.db
      .selectFrom('questions')
      .selectAll()
      .where('id', '=', question)
      .forUpdate()
      .executeTakeFirst()
    if (row?.state === 'open') await withdraw(unit, row)
    await unit.db.updateTable('questions').set({ reply: null }).where('id', '=', question).execute()
    return row?.state === 'answered' ? row.reply : null
  })
  switch (value?.action) {
    case 'accept':
      return { kind: 'accepted', values: value.values }
    case 'decline':
      return { kind: 'declined', reason: 'The operator declined.' }
    case 'cancel':
      return cancelled('The operator put it aside.')
    case undefined:
      return cancelled('Nobody answered.')
  }
}

type OpenQuestion = { readonly id: QuestionId } & {
  readonly run_id: RunId
  readonly session_id: Permit['subject']['session']
  readonly call_id: Permit['subject']['call']
}

async function withdraw(unit: Unit, { id, run_id, session_id, call_id }: OpenQuestion): Promise<void> {
  await unit.db.updateTable('questions').set({ state: 'withdrawn' }).where('id', '=', id).execute()
  unit.record({
    type: 'server.unanswered',
    actor: { kind: 'gateway', id: 'gateway' },
    session: session_id,
    run: run_id,
    call: call_id,
    data: { question: id },
  })
  unit.emit({ type: 'question.closed', session: session_id, run: run_id, question: id, how: 'withdrawn' })
}

/** Of a run whose calls are sent anew: whoever asked is gone. */
export async function withdrawServerQuestions(unit: Unit, run: RunId): Promise<void> {
  const open = await unit.db
    .selectFrom('questions')
    .select(['id', 'run_id', 'session_id', 'call_id'])
    .where('run_id', '=', run)
    .where('kind', '=', 'server')
    .where('state', '=', 'open')
    .execute()
  for (const question of open) await withdraw(unit, question)
  await unit.db.updateTable('questions').set({ reply: null }).where('run_id', '=', run).execute()
}

/** What the operator says to it, from any surface that shows it whole. */
export async function replyToServer(
  store: Store,
  operator: OperatorId,
  id: QuestionId,
  reply: QuestionReply,
  actor: Actor,
): Promise<number> {
  if (actor.kind !== 'operator')
    throw new CountersignError('usage', 'Only the operator answers a server.', {
      next: 'Answer in the web app, or with `countersign question answer`.',
    })
  const { ledger } = await store.transact(operator, async (unit) => {
    const row = await unit.db
      .selectFrom('questions')
      .innerJoin('runs', 'runs.id', 'questions.run_id')
      .selectAll('questions')
      .select('runs.state as run_state')
      .where('questions.id', '=', id)
      .forUpdate('questions')
      .executeTakeFirst()
    if (!row) throw new CountersignError('not_found', `There is no question ${id}.`)
    if (!row.server) throw new CountersignError('usage', `${id} is no question of a server.`)
    if (row.state !== 'open')
      throw new CountersignError('conflict', `The question ${id} is already ${row.state}.`)
    if (row.run_state !== 'running')
      throw new CountersignError('conflict', `The run of the question ${id} is over, and nobody waits.`)
    if (reply.action === 'accept') requireFit(row.server.form, reply)
    await unit.db
      .updateTable('questions')
      .set({ state: 'answered', reply: json(reply) })
      .where('id', '=', id)
      .execute()
    const { session_id: session, run_id: run, call_id: call } = row
    unit.record({ type: 'server.told', actor, session, run, call, data: toldData(id, row.server, reply) })
    unit.emit({ type: 'question.closed', session, run, question: id, how: reply.action })
  })
  return ledger
}

function requireFit(form: ServerForm, { values }: Extract<QuestionReply, { action: 'accept' }>): void {
  const problem = problemWithAnswers(form, values)
  if (problem !== undefined) throw new CountersignError('usage', `The answer does not fit: ${problem}`)
}

/** The words stay out of the ledger; their hash says later what they were. */
function toldData(
  question: QuestionId,
  { server, tool }: { readonly server: string; readonly tool: string },
  reply: QuestionReply,
) {
  const { action } = reply
  const hash = reply.action === 'accept' ? sha256Hex(canonicalText(reply.values as JsonValue)) : null
  return { question, server, tool, action, hash }
}
