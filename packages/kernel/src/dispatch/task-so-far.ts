/**
 * Owns what the kernel's own rows say of the task that a run is part of: which documents its calls made, what the
 * operator said in it, and how many writes ran unasked for that. Nothing of it comes from a model.
 */
import type { Label, Requester, Resource, RunId, SessionId } from '@countersign/contract'
import type { TaskFacts, TaskSoFar } from '@countersign/policy'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { shownFrom } from '../store/session-window.ts'
import type { Db } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

export async function taskSoFar(
  db: Db,
  { session, run }: { readonly session: SessionId; readonly run: RunId },
): Promise<TaskSoFar> {
  const calls = await db
    .selectFrom('calls')
    .select([
      sql<readonly Resource[]>`permit #> '{subject,resources}'`.as('resources'),
      sql<TaskFacts | null>`judged -> 'task'`.as('task'),
      sql<string | null>`(undo ->> 'args')::json ->> 'expected'`.as('left'),
      'outcome',
    ])
    .where((calls) => isOfTask(calls, session, run))
    .where('permit', 'is not', null)
    .orderBy('intended_at')
    .orderBy('turn')
    .orderBy('position')
    .execute()
  const inputs = await db
    .selectFrom('inputs')
    .select(['text', 'requester', 'label'])
    .where((inputs) => isOfTask(inputs, session, run))
    .orderBy('position')
    .execute()
  return {
    made: madeBy(calls.filter(({ outcome }) => outcome === 'ok')),
    said: inputs.filter(isOfOperator).map(({ text }) => text),
    writes: calls.filter(({ task }) => task !== null && (task.fresh || task.named)).length,
  }
}

/** Of the runs that have a part in what a model is shown of the session: the task goes on in them. */
function isOfTask(
  row: ExpressionBuilder<Tables, 'calls' | 'inputs'>,
  session: SessionId,
  run: RunId,
): Expression<SqlBool> {
  return row.or([
    row('run_id', '=', run),
    row('run_id', 'in', (shown) =>
      shown
        .selectFrom('messages')
        .select('messages.run_id')
        .where('messages.session_id', '=', session)
        .where('messages.position', '>=', (window) => shownFrom(window, session)),
    ),
  ])
}

/** What others brought in under the operator's name has a label of its own. */
function isOfOperator({
  requester,
  label,
}: {
  readonly requester: Requester
  readonly label: Label | null
}): boolean {
  return requester.kind === 'operator' && (label === null || label.integrity === 'operator')
}

export interface EndedWrite {
  readonly resources: readonly Resource[]
  /** The digest of what the call left, as its undo expects it. */
  readonly left: string | null
}

/** A document counts from the call that found nothing there, and with what the last call to it left. Pure. */
export function madeBy(calls: readonly EndedWrite[]): Map<string, string> {
  const made = new Map<string, string>()
  for (const { resources, left } of calls)
    for (const resource of resources) {
      if (resource.type !== 'file' || resource.root !== 'workspace') continue
      const { path, op, identity } = resource
      if (op === 'delete') made.delete(path)
      if (op !== 'write') continue
      if (left !== null && (identity === 'absent' || made.has(path))) made.set(path, left)
      else made.delete(path)
    }
  return made
}
