/** Owns what a task of an agent is: work that was given away, with its instructions and what came of it. */
import { z } from 'zod'
import type { JsonObject } from './json/value.ts'
import type { StoredRecord } from './records.ts'

export const AgentTaskStatus = z.enum(['active', 'completed', 'paused', 'cancelled', 'failed'])
export type AgentTaskStatus = z.infer<typeof AgentTaskStatus>

export const endedTaskStates: readonly AgentTaskStatus[] = ['completed', 'cancelled', 'failed']

export const AgentTask = z.strictObject({
  title: z.string(),
  instructions: z.string(),
  goal: z.string().nullable(),
  /** The run that began it, which is told how it ended. */
  parent: z.string(),
  /** The conversation that it is done in. */
  session: z.string(),
  /** The run that works on it, or did last. */
  run: z.string().nullable(),
  status: AgentTaskStatus,
  result: z.string().nullable(),
  /** What went wrong the last time. */
  problem: z.string().nullable(),
  attempts: z.int(),
  pausedAt: z.string().nullable(),
  /** When it is tried again by itself. */
  nextRetryAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** The run that began it was told of this end. */
  reported: z.boolean(),
  /** How often it was told of an end: each attempt after the first report has its own. */
  reports: z.int(),
})
export type AgentTask = z.infer<typeof AgentTask>

export type HeldTask = AgentTask & { readonly id: string }

export const taskPrefix = 'atask'

export function taskFrom(record: Pick<StoredRecord, 'id' | 'data'>): HeldTask {
  return { id: record.id, ...AgentTask.parse(record.data) }
}

export function taskData(task: AgentTask): JsonObject {
  return task as unknown as JsonObject
}

/** The first words for whoever does it. Nothing in them can pass for a tag. */
export function taskText({ title, instructions }: Pick<AgentTask, 'title' | 'instructions'>): string {
  return `<task>\n<title>${untagged(title)}</title>\n<instructions>\n${untagged(instructions)}\n</instructions>\n</task>`
}

export function untagged(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
