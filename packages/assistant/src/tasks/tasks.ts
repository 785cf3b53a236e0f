/**
 * Owns the tasks of agents: what becomes of one when its run ends, that it is tried again, and that the work which
 * began it is told once. Never tells of tasks before all of them, and the run that began them, have ended.
 */
import {
  type AgentTaskView,
  CountersignError,
  endedTaskStates,
  joinLabels,
  type Requester,
  type RunId,
  RunId as RunIdShape,
  SessionId,
  taskPrefix,
  taskText,
} from '@countersign/contract'
import type { Actor, InboundMessage, RunEnd, RunRow } from '@countersign/kernel'
import type { AssistantContext, AssistantTransaction, PostMessage } from '../assistant-context.ts'
import { type Thresholds, thresholds } from '../health/thresholds.ts'
import { outcomeOf } from './outcome.ts'
import { labelOfAll, reportText } from './report.ts'
import {
  kept,
  lockTasksOf,
  type TaskRecord,
  tasksCollection,
  tasksIn,
  worthKeeping,
  writeTask,
} from './task-records.ts'

export interface TasksOptions {
  readonly context: AssistantContext
  readonly post: PostMessage
  /** Asks a run to stop; what it waits for is withdrawn. */
  readonly stopRun: (run: RunId, because: string) => Promise<unknown>
  /** Holds work for these records, or lets it go on, once the transaction is committed. */
  readonly hold: (tx: AssistantTransaction, ids: readonly string[], held: boolean) => Promise<void>
  readonly thresholds?: Thresholds
}

export type Tasks = ReturnType<typeof createTasks>

type TaskRun = Pick<RunRow, 'id' | 'session_id' | 'label' | 'about' | 'input_id'>

const gateway: Actor = { kind: 'gateway', id: 'gateway' }

export function createTasks({ context, post, stopRun, hold, thresholds: limits = thresholds }: TasksOptions) {
  /** In the transaction that ends the run; says whether it may have begun tasks. */
  async function ended(
    tx: AssistantTransaction,
    run: TaskRun,
    end: RunEnd,
    mayHaveBegun = true,
  ): Promise<void> {
    if (run.about?.startsWith(`${taskPrefix}_`)) await taskEnded(tx, run, run.about, end)
    if (!mayHaveBegun) return
    const began = await tasksIn(tx, { parent: run.id })
    if (began.length > 0) await tellParent(tx, run.id, await lockTasksOf(tx, run.id))
  }

  async function taskEnded(tx: AssistantTransaction, run: TaskRun, id: string, end: RunEnd): Promise<void> {
    const found = await tx.records.get(tasksCollection, id)
    if (!found) return
    const { parent } = kept(found).task
    const siblings = await lockTasksOf(tx, parent)
    const own = siblings.find(({ task }) => task.id === id)
    if (!own) return
    // Words that somebody wrote there after its end are a conversation, and cancelled stays cancelled.
    const over = endedTaskStates.includes(own.task.status)
    const outcome = over
      ? {}
      : outcomeOf(own.task, { ...end, reply: await lastReply(tx, run.id) }, tx.now, limits)
    if (over && own.task.run !== null) return tellParent(tx, parent, siblings)
    const after = await writeTask(tx, own, { ...outcome, run: run.id }, worthKeeping(run.label))
    if (!over) recordEnd(tx, after, run)
    await tellParent(
      tx,
      parent,
      siblings.map((each) => (each === own ? after : each)),
    )
  }

  /** Once, when nothing that the run began is under way and the run itself has ended. */
  async function tellParent(
    tx: AssistantTransaction,
    parent: string,
    tasks: readonly TaskRecord[],
  ): Promise<void> {
    const untold = tasks.filter(({ task }) => !task.reported)
    if (untold.length === 0 || tasks.some(({ task }) => !endedTaskStates.includes(task.status))) return
    const run = await runNamed(tx, parent)
    if (run?.state !== 'stopped') return
    const told: TaskRecord[] = []
    for (const each of untold)
      told.push(await writeTask(tx, each, { reported: true, reports: each.task.reports + 1 }))
    // Whoever was stopped by hand is not started again by what it left behind.
    if (run.reason === 'manual') return
    const before = tasks.reduce((sum, { task }) => sum + task.reports, 0)
    const message: InboundMessage = {
      key: before === 0 ? `report/${parent}` : `report/${parent}/${before}`,
      session: run.session_id,
      text: reportText(told.map(({ task }) => task)),
      mode: 'queue',
      requester: await requesterOf(tx, run),
      label: labelOfAll([...told.map(({ record }) => record.label), ...(await labelsOf(tx, told))]),
      by: { kind: 'agent', id: 'task' },
      work: {
        agent: run.agent,
        goal: run.goal,
        schedule: run.schedule,
        unattended: run.unattended,
        parent: run.id,
        about: null,
      },
    }
    await post(tx, message)
    tx.record({
      type: 'task.reported',
      actor: gateway,
      session: run.session_id,
      run: run.id,
      data: { tasks: told.map(({ task }) => ({ id: task.id, status: task.status })) },
    })
  }

  /** Lets the agent try again, in the same conversation. */
  async function tryAgain(tx: AssistantTransaction, own: TaskRecord, actor: Actor): Promise<TaskRecord> {
    const { task } = own
    const attempts = task.attempts + 1
    const last = await lastRunOf(tx, task.id)
    const source = last ?? (await runNamed(tx, task.parent))
    if (!source)
      throw new CountersignError('conflict', `Nobody knows any more who ${task.id} was done for.`, {
        next: 'Ask the agent for the work again.',
      })
    const after = await writeTask(tx, own, {
      status: 'active',
      attempts,
      problem: null,
      pausedAt: null,
      nextRetryAt: null,
      endedAt: null,
      reported: false,
    })
    await hold(tx, [task.id], false)
    const words = last
      ? 'The last attempt at this task did not succeed. Go on with it from where it stopped.'
      : taskText(task)
    await post(tx, {
      key: `task/${task.id}/${attempts}`,
      session: null,
      opens: SessionId.parse(task.session),
      title: task.title,
      text: words,
      mode: 'queue',
      requester: await requesterOf(tx, source),
      label: own.record.label ? joinLabels(source.label, own.record.label) : source.label,
      by: actor,
      work: {
        agent: 'task',
        goal: task.goal,
        schedule: source.schedule,
        unattended: source.unattended,
        parent: RunIdShape.parse(task.parent),
        about: task.id,
      },
    })
    tx.record({
      type: 'task.retried',
      actor,
      data: { task: task.id, title: task.title, attempt: attempts },
    })
    return after
  }

  /** Ends a task that its run did not end, and tells of it as of any other. */
  async function settle(
    tx: AssistantTransaction,
    id: string,
    change: (own: TaskRecord) => Partial<TaskRecord['task']> | undefined,
  ): Promise<TaskRecord | undefined> {
    const found = await tx.records.get(tasksCollection, id)
    if (!found) return undefined
    const { parent } = kept(found).task
    const siblings = await lockTasksOf(tx, parent)
    const own = siblings.find(({ task }) => task.id === id)
    const changed = own && change(own)
    if (!own || !changed) return undefined
    const after = await writeTask(tx, own, changed)
    await tellParent(
      tx,
      parent,
      siblings.map((each) => (each === own ? after : each)),
    )
    return after
  }

  return {
    ended,
    tryAgain,
    settle,
    lastReply,

    list: (filter: { status?: string; goal?: string } = {}): Promise<AgentTaskView[]> =>
      context.records.single(context.operator, async (unit) => (await tasksIn(unit, filter)).map(viewOf)),

    show: (id: string): Promise<AgentTaskView> =>
      context.records.single(context.operator, async (unit) => viewOf(await known(unit, id))),

    /** The operator's own act. */
    async retry(actor: Actor, id: string) {
      const { value, ledger } = await context.records.change(context.operator, async (tx) => {
        await lockTasksOf(tx, (await known(tx, id)).task.parent)
        const own = await known(tx, id)
        if (own.task.status === 'active' || own.task.status === 'completed')
          throw new CountersignError(
            'conflict',
            `The task is ${own.task.status}, so there is nothing to try again.`,
            {
              next: `See it with \`countersign task show ${id}\`.`,
            },
          )
        return viewOf(await tryAgain(tx, own, actor))
      })
      return { task: value, ledger }
    },

    /** The operator's own act. Its run is stopped, and what it did stays done. */
    async cancel(actor: Actor, id: string) {
      const { value, ledger } = await context.records.change(context.operator, async (tx) => {
        await known(tx, id)
        const after = await settle(tx, id, ({ task }) =>
          endedTaskStates.includes(task.status)
            ? undefined
            : {
                status: 'cancelled',
                problem: 'Cancelled by the operator.',
                pausedAt: null,
                nextRetryAt: null,
                endedAt: tx.now.toISOString(),
              },
        )
        if (!after)
          throw new CountersignError('conflict', 'The task has ended already.', {
            next: `See it with \`countersign task show ${id}\`.`,
          })
        await hold(tx, [id], true)
        tx.record({ type: 'task.cancelled', actor, data: { task: id, title: after.task.title } })
        return viewOf(after)
      })
      const runs = await context.records.single(context.operator, ({ db }) =>
        db.selectFrom('runs').select('id').where('about', '=', id).where('state', '<>', 'stopped').execute(),
      )
      for (const run of runs) await stopRun(run.id, 'Its task was cancelled.')
      return { task: value, ledger }
    },
  }
}

function recordEnd(tx: AssistantTransaction, { task }: TaskRecord, run: TaskRun): void {
  tx.record({
    type: `task.${task.status}`,
    actor: gateway,
    session: run.session_id,
    run: run.id,
    data: {
      task: task.id,
      title: task.title,
      attempt: task.attempts,
      ...(task.problem === null ? {} : { problem: task.problem.slice(0, 500) }),
      ...(task.nextRetryAt === null ? {} : { nextRetryAt: task.nextRetryAt }),
    },
  })
}

async function known(unit: Pick<AssistantTransaction, 'records'>, id: string): Promise<TaskRecord> {
  const record = await unit.records.get(tasksCollection, id)
  if (!record)
    throw new CountersignError('not_found', `There is no task ${id} of an agent.`, {
      next: 'List them with `countersign task list`. Those that ended are kept for 15 days.',
    })
  return kept(record)
}

async function lastReply({ db }: Pick<AssistantTransaction, 'db'>, run: RunId): Promise<string> {
  const row = await db
    .selectFrom('messages')
    .select('text')
    .where('run_id', '=', run)
    .where('role', '=', 'assistant')
    .where('text', '<>', '')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.text ?? ''
}

function runNamed({ db }: Pick<AssistantTransaction, 'db'>, id: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', id as RunId)
    .executeTakeFirst()
}

function lastRunOf({ db }: Pick<AssistantTransaction, 'db'>, task: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('about', '=', task)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function labelsOf({ db }: Pick<AssistantTransaction, 'db'>, tasks: readonly TaskRecord[]) {
  const ids = tasks.flatMap(({ task }) => (task.run === null ? [] : [task.run as RunId]))
  if (ids.length === 0) return []
  const rows = await db.selectFrom('runs').select('label').where('id', 'in', ids).execute()
  return rows.map(({ label }) => label)
}

async function requesterOf(
  { db }: Pick<AssistantTransaction, 'db'>,
  { input_id }: Pick<RunRow, 'input_id'>,
): Promise<Requester> {
  const row = await db
    .selectFrom('inputs')
    .select('requester')
    .where('id', '=', input_id)
    .executeTakeFirstOrThrow()
  return row.requester
}

export function viewOf({ record, task }: TaskRecord): AgentTaskView {
  const { version, createdAt, updatedAt, label } = record
  return { ...task, version, createdAt, updatedAt, label }
}
