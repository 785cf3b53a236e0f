/**
 * Makes a session of messages that were written elsewhere: the copy of another session, or a file. It writes only what
 * is over: one input that is done and one run that is stopped, so nothing of it can start.
 */
import {
  type InputId,
  idFrom,
  joinLabels,
  type Label,
  noteLabel,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import { json, storable, type Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'

export interface EndedMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly label: Label
  readonly at: Date
}

export interface EndedConversation {
  readonly title: string
  /** What the session is worth: the join of all that was said in it, never better. */
  readonly label: Label
  readonly work: Work | null
  readonly agent: string
  readonly goal: string | null
  readonly messages: readonly EndedMessage[]
  /** How many of them, from the first, are archived. */
  readonly archived: number
  /** Who had it made, and what the run that holds the messages says of itself. */
  readonly by: string
  readonly because: string
}

export interface ImportedConversation {
  readonly session: SessionId
  readonly run: RunId
  /** The positions of its messages, in order. */
  readonly positions: readonly number[]
}

const rowsAtOnce = 500

type Rows = Pick<Unit, 'db' | 'operator' | 'now'>

export async function importEnded(
  unit: Rows,
  ended: EndedConversation,
  uuid: () => string,
): Promise<ImportedConversation> {
  const session = idFrom('ses', uuid())
  const run = idFrom('run', uuid())
  await writeSession(unit, session, ended)
  await writeRun(unit, { session, run, input: idFrom('inp', uuid()) }, ended)
  const positions = await writeMessages(unit, session, run, ended.messages)
  const archived = positions[ended.archived - 1]
  if (archived !== undefined)
    await unit.db.updateTable('sessions').set({ archived_to: archived }).where('id', '=', session).execute()
  return { session, run, positions }
}

async function writeSession(
  { db, operator, now }: Rows,
  session: SessionId,
  { title, label, work }: EndedConversation,
): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      operator_id: operator,
      id: session,
      title: storable(title.toWellFormed()),
      created_at: now,
      updated_at: now,
      active_run_id: null,
      label: json(label),
      work: work && json(work),
    })
    .execute()
}

/** A message belongs to a run and a run to an input; these are the least that there can be, and both are over. */
async function writeRun(
  { db, operator, now }: Rows,
  { session, run, input }: { readonly session: SessionId; readonly run: RunId; readonly input: InputId },
  ended: EndedConversation,
): Promise<void> {
  await db
    .insertInto('inputs')
    .values({
      operator_id: operator,
      id: input,
      session_id: session,
      run_id: run,
      key: `imported:${session}`,
      mode: 'queue',
      text: ended.because,
      requester: json({ kind: 'operator', id: ended.by }),
      state: 'done',
      created_at: now,
      label: json(joinLabels(ended.label, noteLabel)),
    })
    .execute()
  await db
    .insertInto('runs')
    .values({
      operator_id: operator,
      id: run,
      session_id: session,
      input_id: input,
      kind: 'agent',
      state: 'stopped',
      reason: 'completed',
      message: ended.because,
      turn: ended.messages.filter(({ role }) => role === 'assistant').length,
      label: json(ended.label),
      started_at: now,
      ended_at: now,
      agent: ended.agent,
      goal: ended.goal,
    })
    .execute()
}

async function writeMessages(
  { db, operator }: Rows,
  session: SessionId,
  run: RunId,
  messages: readonly EndedMessage[],
): Promise<number[]> {
  let turn = 0
  const rows = messages.map((message) => {
    if (message.role === 'assistant') turn += 1
    return {
      operator_id: operator,
      session_id: session,
      run_id: run,
      turn,
      role: message.role,
      text: storable(message.text.toWellFormed()),
      label: json(message.label),
      at: message.at,
    }
  })
  const positions: number[] = []
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const made = await db
      .insertInto('messages')
      .values(rows.slice(from, from + rowsAtOnce))
      .returning('position')
      .execute()
    positions.push(...made.map(({ position }) => position))
  }
  return positions
}
