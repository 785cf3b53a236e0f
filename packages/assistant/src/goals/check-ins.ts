/**
 * Owns that goals do not lie still: one with a check-in is looked at by its own agent after so many hours without work,
 * unattended and for the money of unattended work; one that waited is active again when work on it begins; and the
 * result of a task is written down with its goal.
 */
import {
  changedGoal,
  endedTaskStates,
  type GoalEntry,
  goalData,
  goalFrom,
  goalQuietUntil,
  openGoalStates,
  type SessionId,
  shortened,
  taskPrefix,
  withEntry,
} from '@countersign/contract'
import type { Actor, RunRow } from '@countersign/kernel'
import type { AssistantContext, AssistantTransaction, PostMessage } from '../assistant-context.ts'
import { kept, tasksCollection, worthKeeping } from '../tasks/task-records.ts'
import { type GoalRecord, goalsCollection, goalsIn, knownGoal } from './goal-records.ts'

export interface CheckInOptions {
  readonly context: AssistantContext
  readonly post: PostMessage
}

const hour = 3_600_000
/** Of a result in a note; the task keeps the rest. */
const longestResult = 1_500
const clockActor: Actor = { kind: 'gateway', id: 'goals' }

/** What its agent is told. The goal itself, with steps, notes and learnings, is in its prompt. */
export const checkInText = [
  'This is a check-in on your goal; nobody wrote to you just now.',
  'See what has changed since the last work on it, and do the next step that needs no decision of the operator.',
  'Write down with add_goal_note what you did or found, and update the progress.',
  'If nothing can be done now, set the goal to waiting with the reason in a note, and end with one sentence.',
].join(' ')

export function createCheckIns({ context, post }: CheckInOptions) {
  const { operator, records } = context

  /** Wakes every goal whose time has come, and says how many. */
  async function wake(now: Date): Promise<number> {
    const due = (await records.single(operator, goalsIn)).filter((each) => isDue(each, now))
    let woken = 0
    for (const { goal } of due) {
      const { value } = await records.change(operator, (tx) => wakeOne(tx, goal.id, now, post))
      if (value) woken += 1
    }
    return woken
  }

  return {
    wake,
    begun: (run: Pick<RunRow, 'goal' | 'id' | 'session_id'>) => begun(context, run),
    taskEnded,
  }
}

async function wakeOne(tx: AssistantTransaction, id: string, now: Date, post: PostMessage): Promise<boolean> {
  await tx.lockRecords(goalsCollection, { id })
  const found = await tx.records.get(goalsCollection, id)
  if (!found) return false
  const goal = { record: found, goal: goalFrom(found) }
  if (!isDue(goal, now) || (await isBusy(tx, id, lastWork(goal, now)))) return false
  const { id: _, ...data } = goal.goal
  const at = now.toISOString()
  await tx.records.replace(
    goalsCollection,
    id,
    found.version,
    goalData({ ...data, checkedInAt: at }),
    found.label,
  )
  await post(tx, {
    key: `checkin/${id}/${at}`,
    session: null,
    opens: goal.goal.session as SessionId,
    title: goal.goal.title,
    text: checkInText,
    mode: 'queue',
    requester: { kind: 'schedule', id },
    by: clockActor,
    ...(found.label ? { label: found.label } : {}),
    work: { agent: 'goal', goal: id, schedule: null, unattended: true, parent: null, about: null },
  })
  tx.record({ type: 'goal.checked_in', actor: clockActor, data: { goal: id } })
  return true
}

/** Work on a goal has begun: what waited for it goes on. */
async function begun(
  { operator, records }: AssistantContext,
  run: Pick<RunRow, 'goal' | 'id' | 'session_id'>,
): Promise<void> {
  const { goal: id } = run
  if (id === null) return
  const before = await records.single(operator, (tx) => tx.records.get(goalsCollection, id))
  if (!before || goalFrom(before).status !== 'waiting') return
  await records.change(operator, async (tx) => {
    const { record, goal } = await knownGoal(tx, id)
    const { id: _, ...data } = goal
    const made = changedGoal(data, { status: 'active' }, tx.now)
    if (goal.status !== 'waiting' || made.kind === 'invalid') return
    await tx.records.replace(goalsCollection, id, record.version, goalData(made.data), record.label)
    tx.record({
      type: 'goal.resumed',
      actor: clockActor,
      run: run.id,
      session: run.session_id,
      data: { goal: id, title: goal.title, changed: ['status'] },
    })
  })
}

/** In the transaction that ends the run of a task: what came of it stands with the goal, once. */
async function taskEnded(
  tx: AssistantTransaction,
  run: Pick<RunRow, 'id' | 'about' | 'label'>,
): Promise<void> {
  if (!run.about?.startsWith(`${taskPrefix}_`)) return
  const record = await tx.records.get(tasksCollection, run.about)
  const task = record && kept(record).task
  if (!task?.goal || task.run !== run.id || !endedTaskStates.includes(task.status)) return
  const found = await tx.records.get(goalsCollection, task.goal)
  if (!found) return
  const { id, ...goal } = goalFrom(found)
  const entryId = `entry_${run.id.slice(4)}`
  if (goal.notes.some((note) => note.id === entryId)) return
  const entry: GoalEntry = {
    id: entryId,
    text: `Task “${task.title}” ${task.status}: ${shortened(task.result ?? task.problem ?? 'nothing was said', longestResult)}`,
    at: tx.now.toISOString(),
    by: 'task',
    label: worthKeeping(run.label),
  }
  await tx.records.replace(
    goalsCollection,
    id,
    found.version,
    goalData(withEntry(goal, 'notes', entry)),
    found.label,
  )
}

function isDue({ record, goal }: GoalRecord, now: Date): boolean {
  const { checkInHours, held, status, limits } = goal
  if (checkInHours === undefined || held || status === 'paused' || !openGoalStates.includes(status))
    return false
  if (limits.quietHours && goalQuietUntil(limits.quietHours, now) !== undefined) return false
  const last = Math.max(Date.parse(goal.checkedInAt ?? record.createdAt), Date.parse(record.createdAt))
  return now.getTime() - last >= checkInHours * hour
}

/** Work that ended after this makes a check-in unneeded. */
function lastWork({ goal: { checkInHours = 0 } }: GoalRecord, now: Date): Date {
  return new Date(now.getTime() - checkInHours * hour)
}

async function isBusy({ db }: AssistantTransaction, goal: string, since: Date): Promise<boolean> {
  const held = await db.selectFrom('held_goals').select('goal').where('goal', '=', goal).executeTakeFirst()
  const paused = await db.selectFrom('operators').select('paused_at').executeTakeFirst()
  if (held || paused?.paused_at) return true
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('goal', '=', goal)
    .where((where) => where.or([where('ended_at', '>', since), where('ended_at', 'is', null)]))
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}
