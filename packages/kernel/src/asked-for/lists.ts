/**
 * Owns the lists of what the operator's words ask for: one for each of their messages that a run answers, until it is
 * taken back. A list speaks for nothing by itself; policy decides what it may free from a question.
 */
import {
  type AskedForId,
  type AskedForView,
  type AskedList,
  CountersignError,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import type { HeldRun } from '../store/run-row.ts'
import { type Actor, type Db, json, type Unit } from '../store/store.ts'

/** The list for the operator's words up to this input of the run. Words that came later have another. */
export async function findList(db: Db, run: RunId, saidTo: number): Promise<AskedForView | undefined> {
  const rows = await lists(db).where('run_id', '=', run).where('said_to', '=', saidTo).execute()
  return rows.map(viewOf)[0]
}

/** Those of a session that were read, or list something; the oldest first. */
export async function listsOf(db: Db, session: SessionId): Promise<AskedForView[]> {
  const rows = await lists(db).where('session_id', '=', session).orderBy('id').execute()
  return rows
    .map(viewOf)
    .filter(({ items, kinds, questions }) => items.length + questions.length > 0 || kinds !== null)
}

export async function keepList(
  unit: Unit,
  { operator, session, id: run }: HeldRun,
  list: AskedList & { readonly id: AskedForId; readonly saidTo: number },
): Promise<void> {
  const { id, saidTo, items, kinds, questions } = list
  await unit.db
    .insertInto('asked_for')
    .values({
      operator_id: operator,
      id,
      session_id: session,
      run_id: run,
      said_to: saidTo,
      items: json(items),
      kinds: kinds && json(kinds),
      questions: json(questions),
      told_turn: null,
      at: unit.now,
      taken_back_at: null,
    })
    .execute()
  unit.record({
    type: 'asked_for.listed',
    actor: { kind: 'agent', id: run },
    session,
    run,
    data: {
      list: id,
      items: items.map((item) => ({ ...item })),
      kinds: kinds && [...kinds],
      questions: [...questions],
    },
  })
}

/** What comes later asks, as if nobody had asked for it. */
export async function takeBack(unit: Unit, id: AskedForId, actor: Actor): Promise<void> {
  const taken = await unit.db
    .updateTable('asked_for')
    .set({ taken_back_at: unit.now })
    .where('id', '=', id)
    .where('taken_back_at', 'is', null)
    .returning(['session_id as session', 'run_id as run'])
    .executeTakeFirst()
  if (!taken) throw new CountersignError('not_found', `There is no list ${id} that could be taken back.`)
  unit.record({ type: 'asked_for.taken_back', actor, ...taken, data: { list: id } })
}

export async function takenBackIn(db: Db, session: SessionId): Promise<boolean> {
  const row = await lists(db)
    .where('session_id', '=', session)
    .where('taken_back_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether it still stands; whoever takes it back meanwhile waits for the end of this unit. */
export async function stillStands(unit: Unit, id: string): Promise<boolean> {
  const row = await unit.db
    .selectFrom('asked_for')
    .select('id')
    .where('id', '=', id as AskedForId)
    .where('taken_back_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Says whether the model is told its questions now: for one turn of a run, while it stands. */
export async function tellQuestions(unit: Unit, id: string, turn: number): Promise<boolean> {
  const row = await unit.db
    .updateTable('asked_for')
    .set({ told_turn: turn })
    .where('id', '=', id as AskedForId)
    .where('taken_back_at', 'is', null)
    .where((list) => list.or([list('told_turn', 'is', null), list('told_turn', '=', turn)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

function lists(db: Db) {
  return db
    .selectFrom('asked_for')
    .select(['id', 'session_id', 'run_id', 'items', 'kinds', 'questions', 'at', 'taken_back_at'])
}

function viewOf(row: Awaited<ReturnType<ReturnType<typeof lists>['execute']>>[number]): AskedForView {
  return {
    id: row.id,
    session: row.session_id,
    run: row.run_id,
    items: row.items,
    kinds: row.kinds,
    questions: row.questions,
    at: row.at.toISOString(),
    takenBackAt: row.taken_back_at?.toISOString() ?? null,
  }
}
