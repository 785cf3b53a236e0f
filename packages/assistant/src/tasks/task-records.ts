/** Owns the rows of the tasks of agents within a transaction, and the order in which they are locked. */
import {
  type HeldTask,
  joinLabels,
  type Label,
  type StoredRecord,
  taskData,
  taskFrom,
} from '@countersign/contract'
import type { AssistantTransaction } from '../assistant-context.ts'

export const tasksCollection = 'agent_tasks'
const mostRead = 1_000

export interface TaskRecord {
  readonly record: StoredRecord
  readonly task: HeldTask
}

export function kept(record: StoredRecord): TaskRecord {
  return { record, task: taskFrom(record) }
}

export async function tasksIn(
  { records }: Pick<AssistantTransaction, 'records'>,
  where: Readonly<Record<string, string>> = {},
): Promise<TaskRecord[]> {
  const page = await records.list(tasksCollection, { where, limit: mostRead })
  return page.records.map(kept)
}

/**
 * Locks what one run began, always in the same order, and reads it after that. Two tasks that end at the same moment
 * see each other so, and neither waits for the other in turn.
 */
export async function lockTasksOf(tx: AssistantTransaction, parent: string): Promise<TaskRecord[]> {
  await tx.lockRecords(tasksCollection, { field: 'parent', equals: parent })
  const tasks = await tasksIn(tx, { parent })
  return tasks.toSorted((left, right) => (left.task.id < right.task.id ? -1 : 1))
}

export async function writeTask(
  tx: AssistantTransaction,
  { record, task }: TaskRecord,
  change: Partial<HeldTask>,
  label: Label | null = null,
): Promise<TaskRecord> {
  const { id, ...data } = { ...task, ...change }
  const joined = record.label && label ? joinLabels(record.label, label) : (record.label ?? label)
  return kept(await tx.records.replace(tasksCollection, id, record.version, taskData(data), joined))
}

/** What of a label a record has to remember. */
export function worthKeeping(label: Label): Label | null {
  return label.integrity === 'untrusted' || label.confidentiality === 'secret' ? label : null
}
