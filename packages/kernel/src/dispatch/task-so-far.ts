/**
 * Owns what the kernel's own rows say of the task that a run is part of: which documents its calls made, what came back
 * from the web, what the operator said in it, and how much ran unasked for that. Nothing of it comes from a model.
 */
import {
  isLook,
  type Label,
  type Requester,
  type Resource,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import {
  type AskedFact,
  type AskedPlan,
  isExpectedWrite,
  isInnerAddress,
  type TaskFacts,
  type TaskSoFar,
  webTools,
  writesOf,
} from '@countersign/policy'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { findList } from '../asked-for/lists.ts'
import { shownFrom } from '../store/session-window.ts'
import type { Db } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

interface RunOfTask {
  readonly session: SessionId
  readonly run: RunId
  readonly inReader: boolean
}

export async function taskSoFar(db: Db, task: RunOfTask): Promise<TaskSoFar> {
  const { session, run } = task
  const calls = await db
    .selectFrom('calls')
    .select([
      'args',
      sql<readonly Resource[]>`permit #> '{subject,resources}'`.as('resources'),
      sql<TaskFacts | null>`judged -> 'task'`.as('task'),
      sql<string | null>`(undo ->> 'args')::json ->> 'expected'`.as('left'),
      sql<string | null>`case when tool = any(${[...webTools]}) then result_text end`.as('text'),
      sql<boolean>`coalesce(outcome = 'ok', false)`.as('ok'),
      sql<boolean>`coalesce(judged #>> '{label,integrity}' in ('operator', 'tool'), false)`.as('unled'),
    ])
    .where((calls) => isOfTask(calls, session, run))
    .where('permit', 'is not', null)
    .orderBy('intended_at')
    .orderBy('turn')
    .orderBy('position')
    .execute()
  const words = await wordsOfTask(db, task)
  const list = words.last === null ? undefined : await findList(db, run, words.last)
  return soFarOf(calls, words, list && list.takenBackAt === null ? list : null)
}

/** With the place of the last of them that this run answers; null where the operator said nothing to it. */
export async function wordsOfTask(
  db: Db,
  { session, run, inReader }: RunOfTask,
): Promise<TaskWords & { readonly last: number | null }> {
  const inputs = await db
    .selectFrom('inputs')
    .select(['run_id', 'position', 'text', 'requester', 'label'])
    .where((inputs) => isOfTask(inputs, session, run))
    .orderBy('position')
    .execute()
  // A reader is told one question, whoever's words it is in.
  const words = inReader ? inputs : inputs.filter(isOfOperator)
  const now = words.filter(({ run_id }) => run_id === run)
  const last = now.at(-1)
  return {
    last: last?.position ?? null,
    earlier: words.filter(({ run_id }) => run_id !== run).map(({ text }) => text),
    now: now.map(({ text }) => text),
  }
}

/** The operator's own words in the task: before this run, and in it. */
export interface TaskWords {
  readonly earlier: readonly string[]
  readonly now: readonly string[]
}

/** A call that had a permit, as its row tells it. */
export interface TaskCall {
  readonly args: string
  readonly resources: readonly Resource[]
  readonly task: TaskFacts | null
  /** The digest of what the call left, as its undo expects it. */
  readonly left: string | null
  /** What came back, where it came from the web. */
  readonly text: string | null
  readonly ok: boolean
  /** Nothing of strangers was in the run that proposed it. */
  readonly unled: boolean
}

/** Pure. */
export function soFarOf(
  calls: readonly TaskCall[],
  { earlier, now }: TaskWords,
  list: Pick<AskedPlan, 'id' | 'items' | 'kinds' | 'questions'> | null = null,
): TaskSoFar {
  const ran = (of: (task: TaskFacts) => boolean) =>
    calls.filter(({ task }) => task !== null && of(task)).length
  const wishes = calls.flatMap(({ task }) => task?.asked ?? [])
  const done = (of: (wish: AskedFact) => boolean) =>
    wishes.filter(of).reduce((sum, { count }) => sum + count, 0)
  const web = calls.filter(({ text }) => text !== null)
  return {
    made: madeBy(calls.filter(({ ok }) => ok)),
    said: [...earlier, ...now],
    saidNow: now,
    chosen: new Set(
      calls.filter(({ unled }) => unled).flatMap(({ resources }) => resources.flatMap(placesOf)),
    ),
    writes: calls.reduce(
      (sum, { task, resources }) => sum + (task !== null && isExpectedWrite(task) ? writesOf(resources) : 0),
      0,
    ),
    read: web.map(({ args, text }) => ({ args, text: text ?? '' })),
    visited: new Set(
      web
        .filter(({ ok }) => ok)
        .flatMap(({ resources }) => resources.flatMap((each) => (each.type === 'url' ? [each.host] : []))),
    ),
    looks: ran(({ look }) => look),
    questions: ran(({ question }) => question),
    plan: list && {
      id: list.id,
      items: list.items,
      kinds: list.kinds,
      used: list.items.map((_, item) => done((one) => one.plan === list.id && one.item === item)),
      questions: list.questions,
      questionsLeft: questionsLeft(list.questions, calls),
    },
    asked: done(() => true),
    wasInside: calls.some(({ resources }) => resources.some(mayBeInside)),
  }
}

/** Where in the workspace a call looked or worked. What a program changed, nobody chose. */
function placesOf(resource: Resource): readonly string[] {
  if (resource.type === 'exec') return [resource.cwd]
  const isLooked = resource.type === 'file' && resource.root === 'workspace' && isLook(resource.op)
  return isLooked ? [resource.path] : []
}

function questionsLeft(questions: readonly string[], calls: readonly TaskCall[]): string[] {
  const asked = new Set(
    calls
      .filter(({ task }) => task?.question)
      .map(({ args }) => (JSON.parse(args) as { readonly question?: unknown }).question),
  )
  return questions.filter((question) => !asked.has(question))
}

/** The public web is on two ports; elsewhere the operator may have opened a place of their own by its name. */
function mayBeInside(resource: Resource): boolean {
  const isUnusual = resource.type === 'url' && resource.port !== 80 && resource.port !== 443
  return isUnusual || isInnerAddress(resource)
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
  return requester.kind === 'operator' && label === null
}

/** A document counts from the call that found nothing there, and with what the last call to it left. */
function madeBy(calls: readonly TaskCall[]): Map<string, string> {
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
