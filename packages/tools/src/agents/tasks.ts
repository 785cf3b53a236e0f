/** Owns how the tools find the tasks of agents, and how many there may be. */
import {
  endedTaskStates,
  type HeldTask,
  type JsonObject,
  type StoredRecord,
  taskFrom,
} from '@countersign/contract'
import type { Desk } from '../desk.ts'
import { shortened } from '../records/collection.ts'

export const tasksCollection = 'agent_tasks'

/** Takes a cancellation back. */
export const restartingTask = 'restart_agent_task'

/** Under way at once. */
export const mostTasksOfRun = 5
export const mostTasks = 20

/** More are never listed; those that ended are cleaned away after a while. */
const mostRead = 1_000
const longestResult = 4_000

export interface KeptTask {
  readonly record: StoredRecord
  readonly task: HeldTask
}

export async function allTasks(desk: Desk): Promise<KeptTask[]> {
  const { records } = await desk.records.list(tasksCollection, { limit: mostRead })
  return records.map((record) => ({ record, task: taskFrom(record) }))
}

export async function findTask(desk: Desk, id: string): Promise<KeptTask | undefined> {
  const record = await desk.records.get(tasksCollection, id)
  return record && { record, task: taskFrom(record) }
}

export const isUnderWay = ({ task }: KeptTask): boolean => !endedTaskStates.includes(task.status)

export function missingTask(id: string): string {
  return `There is no task ${id} of an agent. Look its id up with list_agent_tasks.`
}

export function taskBriefly({ task }: KeptTask): JsonObject {
  const { id, title, status, goal, attempts, nextRetryAt, problem } = task
  return {
    id,
    title,
    status,
    ...(goal === null ? {} : { goal }),
    ...(attempts > 1 ? { attempts } : {}),
    ...(nextRetryAt === null ? {} : { nextRetryAt }),
    ...(problem === null ? {} : { problem: shortened(problem, 300) }),
  }
}

export function taskWhole(kept: KeptTask): JsonObject {
  const { instructions, result, endedAt } = kept.task
  return {
    ...taskBriefly(kept),
    instructions,
    ...(result === null ? {} : { result: shortened(result, longestResult) }),
    ...(endedAt === null ? {} : { endedAt }),
  }
}
