/**
 * Owns readers: runs that are told one question and nothing else, and whose answer is the result of the call that asked
 * it. The question was let out by policy or by the operator, so a reader begins with a label of its own.
 */
import {
  type InputId,
  idFrom,
  type JsonObject,
  joinLabels,
  type Label,
  operatorLabel,
  type Permit,
  type RunId,
  readerAgent,
  type SessionId,
} from '@countersign/contract'
import { sql } from 'kysely'
import { type RunRow } from '../store/run-row.ts'
import { sessionTitle } from '../store/session-title.ts'
import { type Db, json, type Unit } from '../store/store.ts'
import { type IntendedCall, recordCallEntry } from './authorize.ts'
import type { CallRow, EndedCall } from './call-rows.ts'
import type { Caller, DispatchPorts } from './dispatch-ports.ts'
import { type AnswerForm, answerFormOf, checkAnswer } from './reader-answer.ts'

/** Each has limits of its own, so their number bounds what one run reads. */
const mostReaders = 20

/** Begins the reader of a call that waits from now on. A reason means that there is none. */
export async function beginReader(
  unit: Unit,
  caller: Caller,
  { row, permit }: IntendedCall,
  ports: Pick<DispatchPorts, 'uuid' | 'createRun'>,
): Promise<{ reason: string } | undefined> {
  const { held, work } = caller
  if (caller.inReader) return { reason: 'A reader opens no other reader.' }
  if ((await readersOf(unit.db, held.id)) >= mostReaders)
    return { reason: `This run opened ${mostReaders} readers, which is the maximum.` }
  const text = questionOf(permit)
  const session = idFrom('ses', ports.uuid())
  const input = idFrom('inp', ports.uuid())
  const { integrity, sources } = permit.subject.provenance
  const label: Label = { integrity, sources, confidentiality: 'public' }
  const key = `reader/${row.id}/${row.attempt}`
  await openSession(unit, { session, input, text, label, key, asking: held.session }, permit)
  const { goal, schedule, unattended } = work
  const reader = await ports.createRun(
    unit,
    { id: session, label: operatorLabel },
    {
      id: input,
      text,
      label,
      work: { agent: readerAgent, goal, schedule, unattended, parent: held.id },
      answers: row.id,
    },
    'agent',
  )
  await unit.db.updateTable('calls').set({ state: 'waiting', reader }).where('id', '=', row.id).execute()
  recordCallEntry(unit, caller, row, 'call.waits', { tool: row.tool, calls: 0, reader })
  return undefined
}

/** A session of its own, with the question as its first message. */
async function openSession(
  unit: Unit,
  opened: {
    readonly session: SessionId
    readonly input: InputId
    readonly text: string
    readonly label: Label
    readonly key: string
    readonly asking: SessionId
  },
  permit: Permit,
): Promise<void> {
  const { session, input, text, label, key, asking } = opened
  await unit.db
    .insertInto('sessions')
    .values({
      operator_id: unit.operator,
      id: session,
      title: sessionTitle(text),
      created_at: unit.now,
      updated_at: unit.now,
      active_run_id: null,
      // Nobody talks in it; the call that asked tells what came of it.
      hidden_at: unit.now,
      label: json(operatorLabel),
      private: sql<boolean>`(select private from sessions where id = ${asking})`,
    })
    .execute()
  await unit.db
    .insertInto('inputs')
    .values({
      operator_id: unit.operator,
      id: input,
      session_id: session,
      run_id: null,
      key,
      mode: 'queue',
      text,
      requester: json(permit.subject.requester),
      state: 'queued',
      created_at: unit.now,
      label: json(label),
    })
    .execute()
}

async function readersOf(db: Db, run: RunId): Promise<number> {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('parent', '=', run)
    .where('answers', 'is not', null)
    .execute()
  return rows.length
}

/** What the reader is told: the question, and in which form to answer. */
function questionOf({ subject }: Permit): string {
  const args = JSON.parse(subject.args) as JsonObject & { readonly question: string }
  const { told } = answerFormOf(args)
  return told === '' ? args.question : `${args.question}\n\n${told}`
}

/** Those that wait for a reader, and not for calls of their own. */
export function readingCalls(rows: readonly CallRow[]): CallRow[] {
  return rows.filter(({ state, reader }) => state === 'waiting' && reader !== null)
}

/** The calls among them whose reader has ended, each with its answer. */
export async function answeredCalls(db: Db, rows: readonly CallRow[]): Promise<EndedCall[]> {
  const ids = rows.flatMap(({ reader }) => (reader === null ? [] : [reader]))
  const readers = await db.selectFrom('runs').selectAll().where('id', 'in', ids).execute()
  const ended: EndedCall[] = []
  for (const row of rows) {
    const reader = readers.find(({ id }) => id === row.reader)
    if (reader && reader.state !== 'stopped') continue
    const form = answerFormOf(JSON.parse(row.args) as JsonObject)
    ended.push(endedBy(row, form, reader, reader ? await lastWords(db, reader.id) : ''))
  }
  return ended
}

async function lastWords(db: Db, run: RunId): Promise<string> {
  const row = await db
    .selectFrom('messages')
    .select('text')
    .where('run_id', '=', run)
    .where('role', '=', 'assistant')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.text ?? ''
}

/** What a value that our own code checked can say is one of few things, so it is no stranger's text any more. Pure. */
function endedBy(row: CallRow, form: AnswerForm, reader: RunRow | undefined, text: string): EndedCall {
  const common = { id: row.id, state: 'ended' as const, startedAt: null, undo: null }
  if (reader?.reason !== 'completed') {
    const why = `The reader ended without an answer${reader?.reason ? ` (${reader.reason})` : ''}.`
    return { ...common, outcome: 'failed', text: why, summary: why, label: null }
  }
  const answer = checkAnswer(form, text)
  if (answer.kind === 'refused')
    return { ...common, outcome: 'failed', text: answer.reason, summary: answer.reason, label: null }
  const { confidentiality } = reader.label
  const label: Label =
    answer.kind === 'value'
      ? { integrity: 'tool', confidentiality, sources: [] }
      : joinLabels(reader.label, { integrity: 'untrusted', confidentiality, sources: ['web'] })
  return { ...common, outcome: 'ok', text: answer.text, summary: answer.summary, label }
}
