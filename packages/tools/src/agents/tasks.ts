/** Owns how the tools find the tasks of agents, and how many there may be. */
import {
  endedTaskStates,
  type HeldTask,
  type JsonObject,
  type StoredRecord,
  taskFrom,
} from '@countersign/contract'
import type { RecordToolContext } from '../record-tool-context.ts'
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

export interface AgentTaskRecord {
  readonly record: StoredRecord
  readonly task: HeldTask
}

export async function allTasks(context: RecordToolContext): Promise<AgentTaskRecord[]> {
  const { records } = await context.records.list(tasksCollection, { limit: mostRead })
  return records.map((record) => ({ record, task: taskFrom(record) }))
}

export async function findAgentTask(
  context: RecordToolContext,
  id: string,
): Promise<AgentTaskRecord | undefined> {
  const record = await context.records.get(tasksCollection, id)
  return record && { record, task: taskFrom(record) }
}

export const isUnderWay = ({ task }: AgentTaskRecord): boolean => !endedTaskStates.includes(task.status)

export function missingTask(id: string): string {
  return `There is no task ${id} of an agent. Look its id up with list_agent_tasks.`
}

export function taskSummary({ task }: AgentTaskRecord): JsonObject {
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

export function taskDetails(kept: AgentTaskRecord): JsonObject {
  const { instructions, result, endedAt } = kept.task
  return {
    ...taskSummary(kept),
    instructions,
    ...(result === null ? {} : { result: shortened(result, longestResult) }),
    ...(endedAt === null ? {} : { endedAt }),
  }
}
