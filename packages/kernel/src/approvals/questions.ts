/** Owns questions to the operator: those an agent asks, and those that an effect of unknown end asks by itself. */
import {
  type CallId,
  CountersignError,
  idFrom,
  type QuestionId,
  type QuestionView,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import type { Selectable } from 'kysely'
import { type Actor, json, storable, type Unit } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

export type QuestionRow = Selectable<Tables['questions']>

/** What is said of an effect whose run is over: nobody is there to try it again. */
export const settledChoices = ['done', 'not done'] as const
export const unknownChoices = [...settledChoices, 'try again'] as const

export async function askQuestion(
  unit: Unit,
  about: {
    kind: 'operator' | 'unknown'
    session: SessionId
    run: RunId
    call: CallId
    text: string
    choices: readonly string[]
  },
  uuid: () => string,
): Promise<QuestionId> {
  const id = idFrom('q', uuid())
  await unit.db
    .insertInto('questions')
    .values({
      operator_id: unit.operator,
      id,
      kind: about.kind,
      call_id: about.call,
      run_id: about.run,
      session_id: about.session,
      text: storable(about.text),
      choices: json(about.choices),
      state: 'open',
      answer: null,
      created_at: unit.now,
    })
    .execute()
  unit.record({
    type: 'question.asked',
    actor: about.kind === 'operator' ? { kind: 'agent', id: about.run } : { kind: 'gateway', id: 'gateway' },
    session: about.session,
    run: about.run,
    call: about.call,
    data: { question: id, kind: about.kind, text: about.text.slice(0, 500) },
  })
  unit.emit({
    type: 'question.asked',
    session: about.session,
    run: about.run,
    question: id,
    call: about.call,
    kind: about.kind,
    text: about.text,
    choices: [...about.choices],
  })
  return id
}

/** Closes the question with an answer; the caller gives it to the call. */
export async function closeQuestion(
  unit: Unit,
  question: QuestionRow,
  answer: string,
  actor: Actor,
): Promise<void> {
  if (question.kind === 'unknown' && !question.choices.some((choice) => choice === answer)) {
    throw new CountersignError('usage', `Answer one of: ${question.choices.join(', ')}.`)
  }
  const closed = await unit.db
    .updateTable('questions')
    .set({ state: 'answered', answer: storable(answer) })
    .where('id', '=', question.id)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  if (!closed)
    throw new CountersignError('conflict', `The question ${question.id} is already ${question.state}.`)
  unit.record({
    type: 'question.answered',
    actor,
    session: question.session_id,
    run: question.run_id,
    call: question.call_id,
    data: { question: question.id, answer: answer.slice(0, 500) },
  })
  unit.emit({
    type: 'question.answered',
    session: question.session_id,
    run: question.run_id,
    question: question.id,
    answer,
  })
}

/** Nobody waits for the answer any more. */
export async function withdrawQuestion(unit: Unit, { id }: Pick<QuestionRow, 'id'>): Promise<void> {
  await unit.db.updateTable('questions').set({ state: 'withdrawn' }).where('id', '=', id).execute()
}

/** Those that a message may answer; what a server asks is answered in its form only. */
export function openQuestions(unit: Pick<Unit, 'db'>, run: RunId): Promise<QuestionRow[]> {
  return unit.db
    .selectFrom('questions')
    .selectAll()
    .where('run_id', '=', run)
    .where('state', '=', 'open')
    .where('kind', '!=', 'server')
    .orderBy('id')
    .execute()
}

export function viewOfQuestion(row: QuestionRow): QuestionView {
  return {
    id: row.id,
    kind: row.kind,
    session: row.session_id,
    run: row.run_id,
    call: row.call_id,
    text: row.text,
    choices: row.choices,
    state: row.state,
    answer: row.answer,
    ...(row.server ? { server: row.server } : {}),
    createdAt: row.created_at.toISOString(),
  }
}
