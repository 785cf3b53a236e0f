/**
 * Owns looking after work that nobody hears of any more: finds what is stuck, stale, due or old, and mends it. Never
 * touches a run that waits for a person. What was seen and done is in the ledger.
 */
import {
  CountersignError,
  changedGoal,
  endedTaskStates,
  goalData,
  goalFrom,
  type HealthFinding,
  type HealthInspection,
  type JsonObject,
  mostGoals,
  type RunId,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { kept, lockTasksOf, tasksCollection, tasksIn } from '../tasks/task-records.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { type RunActivity, runActivityOf, stuckSince } from './activity.ts'
import { type Thresholds, thresholds } from './thresholds.ts'

export interface HealthOptions {
  readonly context: AssistantContext
  readonly tasks: Pick<Tasks, 'settle' | 'tryAgain' | 'lastReply'>
  /** Asks a run to stop. */
  readonly stopRun: (run: RunId, because: string) => Promise<unknown>
  readonly thresholds?: Thresholds
}

export interface HealthMonitor {
  /** Safe to repeat, and in two processes at once. */
  inspect(now?: Date): Promise<HealthInspection>
}

/** More are left for the next look. */
const mostCleaned = 500
const monitor: Actor = { kind: 'gateway', id: 'health' }

export function createHealthMonitor(options: HealthOptions): HealthMonitor {
  const { context, tasks, stopRun, thresholds: limits = thresholds } = options
  const { operator, records } = context

  async function inspect(now: Date = context.clock()): Promise<HealthInspection> {
    const findings: HealthFinding[] = []
    const problems: string[] = []
    const look = async (words: string, part: () => Promise<readonly HealthFinding[]>) => {
      try {
        findings.push(...(await part()))
      } catch (problem) {
        context.onProblem(problem)
        problems.push(`${words}: ${problem instanceof Error ? problem.message : String(problem)}`)
      }
    }
    const runs = await records.single(operator, ({ db }) => runActivityOf(db))
    await look('runs that hang', () => stuckRuns(runs, now))
    await look('cancelled tasks', () => cancelledTasks(runs))
    await look('tasks that nobody hears of', () => staleTasks(runs, now))
    await look('paused tasks', () => pausedTasks(now))
    await look('goals that rest', () => staleGoals(runs, now))
    await look('old tasks', () => oldTasks(now))
    return { at: now.toISOString(), findings, problems, nextRetryAt: await nextRetryAt() }
  }

  async function stuckRuns(runs: readonly RunActivity[], now: Date): Promise<HealthFinding[]> {
    const findings: HealthFinding[] = []
    for (const run of runs) {
      const since = stuckSince(run, now, limits.stuckRunMs)
      if (since === null) continue
      const seen = `Nothing has come of the run since ${since.toISOString()}.`
      if (run.stopRequested) {
        findings.push({
          kind: 'run_stuck',
          id: run.id,
          seen,
          done: 'It was told to stop and has not yet; it is ended in its place.',
        })
        continue
      }
      const finding: HealthFinding = { kind: 'run_stuck', id: run.id, seen, done: 'It was stopped.' }
      await records.change(operator, async (tx) => tell(tx, finding, { lastAt: since.toISOString() }, run))
      await stopRun(run.id, seen)
      findings.push(finding)
    }
    return findings
  }

  /** A task that an agent cancelled is held at once and its run ended here. */
  async function cancelledTasks(runs: readonly RunActivity[]): Promise<HealthFinding[]> {
    const cancelled = await records.single(operator, (unit) => tasksIn(unit, { status: 'cancelled' }))
    const findings: HealthFinding[] = []
    for (const run of runs) {
      const found = cancelled.find(({ task }) => task.id === run.about)
      if (!found || run.stopRequested) continue
      const finding: HealthFinding = {
        kind: 'task_cancelled_running',
        id: found.task.id,
        seen: `The task “${found.task.title}” is cancelled, and ${run.id} still worked on it.`,
        done: 'The run was stopped.',
      }
      await records.change(operator, async (tx) => tell(tx, finding, {}, run))
      await stopRun(run.id, 'Its task was cancelled.')
      findings.push(finding)
    }
    return findings
  }

  async function staleTasks(runs: readonly RunActivity[], now: Date): Promise<HealthFinding[]> {
    const before = new Date(now.getTime() - limits.staleTaskMs)
    const active = await records.single(operator, (unit) => tasksIn(unit, { status: 'active' }))
    const findings: HealthFinding[] = []
    for (const { record, task } of active) {
      // Whoever runs, waits for a person or is held is not stale; one that hangs is stopped above.
      if (record.updatedAt >= before.toISOString() || runs.some(({ about }) => about === task.id)) continue
      const finding: HealthFinding = {
        kind: 'task_stale',
        id: task.id,
        seen: `Nothing was heard of the task “${task.title}” since ${record.updatedAt}.`,
        done: 'It counts as completed.',
      }
      const { value } = await records.change(operator, async (tx) => {
        if (await isWaiting(tx, task.session, task.id)) return undefined
        const last = await tx.db
          .selectFrom('runs')
          .select('id')
          .where('about', '=', task.id)
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst()
        const reply = last ? await tasks.lastReply(tx, last.id) : ''
        const after = await tasks.settle(tx, task.id, (own) =>
          own.task.status === 'active' && own.record.version === record.version
            ? {
                status: 'completed',
                run: last?.id ?? own.task.run,
                result: reply === '' ? null : reply,
                problem: finding.seen,
                endedAt: tx.now.toISOString(),
              }
            : undefined,
        )
        if (after) tell(tx, finding, { updatedAt: record.updatedAt })
        return after
      })
      if (value) findings.push(finding)
    }
    return findings
  }

  async function pausedTasks(now: Date): Promise<HealthFinding[]> {
    const paused = await records.single(operator, (unit) => tasksIn(unit, { status: 'paused' }))
    const findings: HealthFinding[] = []
    for (const { task } of paused) {
      const since = Date.parse(task.pausedAt ?? now.toISOString())
      const expired = now.getTime() - since > limits.pausedTaskMs
      const due = task.nextRetryAt !== null && Date.parse(task.nextRetryAt) <= now.getTime()
      if (!expired && !due) continue
      const { value } = await records.change(operator, (tx) =>
        expired ? expire(tx, task.id) : again(tx, task.id, task.attempts),
      )
      if (value) findings.push(value)
    }
    return findings
  }

  async function expire(tx: AssistantTransaction, id: string): Promise<HealthFinding | undefined> {
    const after = await tasks.settle(tx, id, ({ task }) =>
      task.status === 'paused'
        ? {
            status: 'failed',
            problem: `It was paused for longer than a day. Before that: ${task.problem ?? 'nothing was said'}`,
            pausedAt: null,
            nextRetryAt: null,
            endedAt: tx.now.toISOString(),
          }
        : undefined,
    )
    if (!after) return undefined
    const finding: HealthFinding = {
      kind: 'task_expired',
      id,
      seen: `The task “${after.task.title}” was paused for longer than a day.`,
      done: 'It has failed.',
    }
    tell(tx, finding, {})
    return finding
  }

  async function again(
    tx: AssistantTransaction,
    id: string,
    attempts: number,
  ): Promise<HealthFinding | undefined> {
    const found = await tx.records.get(tasksCollection, id)
    if (!found) return undefined
    await lockTasksOf(tx, kept(found).task.parent)
    const record = await tx.records.get(tasksCollection, id)
    const own = record && kept(record)
    if (own?.task.status !== 'paused' || own.task.attempts !== attempts) return undefined
    if (await isHeld(tx, own.task.goal)) return undefined
    const after = await tasks.tryAgain(tx, own, monitor)
    const finding: HealthFinding = {
      kind: 'task_retried',
      id,
      seen: `The task “${own.task.title}” had failed: ${own.task.problem ?? 'nothing was said'}`,
      done: `It is tried again, attempt ${after.task.attempts}.`,
    }
    tell(tx, finding, { attempt: after.task.attempts })
    return finding
  }

  async function staleGoals(runs: readonly RunActivity[], now: Date): Promise<HealthFinding[]> {
    const before = new Date(now.getTime() - limits.staleGoalMs)
    const { records: active } = await records.single(operator, (unit) =>
      unit.records.list('goals', { where: { status: 'active' }, limit: mostGoals }),
    )
    const findings: HealthFinding[] = []
    for (const record of active) {
      if (record.updatedAt >= before.toISOString() || runs.some(({ goal }) => goal === record.id)) continue
      const { id, ...goal } = goalFrom(record)
      const finding: HealthFinding = {
        kind: 'goal_stale',
        id,
        seen: `Nothing was done for the goal “${goal.title}” since ${record.updatedAt}.`,
        done: 'It waits.',
      }
      const { value } = await records
        .change(operator, async (tx) => {
          const recent = await tx.db
            .selectFrom('runs')
            .select('id')
            .where('goal', '=', id)
            .where((where) => where.or([where('ended_at', '>', before), where('ended_at', 'is', null)]))
            .limit(1)
            .executeTakeFirst()
          const made = changedGoal(goal, { status: 'waiting' }, tx.now)
          if (recent || made.kind === 'invalid') return false
          await tx.records.replace('goals', id, record.version, goalData(made.data), record.label)
          tell(tx, finding, { updatedAt: record.updatedAt })
          return true
        })
        .catch(unlessChanged)
      if (value) findings.push(finding)
    }
    return findings
  }

  async function oldTasks(now: Date): Promise<HealthFinding[]> {
    const before = new Date(now.getTime() - limits.endedTaskMs - 1).toISOString()
    const page = await records.single(operator, (unit) =>
      unit.records.list(tasksCollection, { between: { field: 'endedAt', to: before }, limit: mostCleaned }),
    )
    const old = page.records.map(kept).filter(({ task }) => endedTaskStates.includes(task.status))
    if (old.length === 0) return []
    const finding: HealthFinding = {
      kind: 'tasks_cleaned',
      id: old[0]?.task.id ?? '',
      seen: `${old.length} tasks had ended before ${before}.`,
      done: 'They were removed; what they did is in the ledger.',
    }
    const { value } = await records
      .change(operator, async (tx) => {
        for (const { record } of old) await tx.records.remove(tasksCollection, record.id, record.version)
        // Those that were cancelled are held to the end.
        await tx.holds.release(old.map(({ task }) => task.id))
        tell(tx, finding, { tasks: old.map(({ task }) => task.id) })
        return true
      })
      .catch(unlessChanged)
    return value ? [finding] : []
  }

  async function nextRetryAt(): Promise<string | null> {
    const paused = await records.single(operator, (unit) => tasksIn(unit, { status: 'paused' }))
    const times = paused.flatMap(({ task }) => task.nextRetryAt ?? [])
    return times.toSorted()[0] ?? null
  }

  return { inspect }
}

function tell(
  tx: AssistantTransaction,
  { kind, id, seen, done }: HealthFinding,
  more: JsonObject,
  run?: Pick<RunActivity, 'id' | 'session'>,
): void {
  tx.record({
    type: `health.${kind}`,
    actor: monitor,
    ...(run ? { run: run.id, session: run.session } : {}),
    data: { id, seen, done, ...more },
  })
}

/** It stands in its lane, or everything or its goal is held. */
async function isWaiting(tx: AssistantTransaction, session: string, task: string): Promise<boolean> {
  const queued = await tx.db
    .selectFrom('inputs')
    .select('id')
    .where('session_id', '=', session as never)
    .where('state', '=', 'queued')
    .limit(1)
    .executeTakeFirst()
  if (queued) return true
  const record = await tx.records.get(tasksCollection, task)
  return record !== undefined && isHeld(tx, kept(record).task.goal)
}

async function isHeld(tx: AssistantTransaction, goal: string | null): Promise<boolean> {
  const paused = await tx.db.selectFrom('operators').select('paused_at').executeTakeFirst()
  if (paused?.paused_at) return true
  if (goal === null) return false
  const row = await tx.db.selectFrom('held_goals').select('goal').where('goal', '=', goal).executeTakeFirst()
  return row !== undefined
}

/** Somebody else was faster; the next look sees what they made of it. */
function unlessChanged(problem: unknown): { value: false } {
  if (problem instanceof CountersignError && (problem.code === 'conflict' || problem.code === 'not_found'))
    return { value: false }
  throw problem
}
