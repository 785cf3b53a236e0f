/**
 * Owns what an agent has learned: entries like those of a goal, in one record for each agent. What a run wrote that had
 * read anything private or of strangers waits for the operator, since what is told stands in every later prompt.
 */
import { z } from 'zod'
import { GoalEntry, GoalEntryText } from './goal.ts'
import type { JsonObject } from './json/value.ts'
import type { Records, StoredRecord } from './records.ts'
import type { Label } from './trust.ts'

export const agentLearningsCollection = 'agent_learnings'

const Learnings = z.strictObject({ learnings: z.array(GoalEntry) })

export const AgentLearning = GoalEntry.extend({
  /** It is told once the operator has accepted it. */
  waits: z.boolean(),
})
export type AgentLearning = z.infer<typeof AgentLearning>

export const AgentLearningText = z.strictObject({ text: GoalEntryText })
export type AgentLearningText = z.infer<typeof AgentLearningText>

export const AgentLearningChanged = z.strictObject({ learning: AgentLearning, ledger: z.int() })
export type AgentLearningChanged = z.infer<typeof AgentLearningChanged>

export const AgentLearningRemoved = z.strictObject({ id: z.string(), ledger: z.int() })
export type AgentLearningRemoved = z.infer<typeof AgentLearningRemoved>

export interface LearningsRecord {
  readonly record: StoredRecord | undefined
  /** The oldest first. */
  readonly learnings: readonly GoalEntry[]
}

export async function learningsOf(records: Pick<Records, 'get'>, agent: string): Promise<LearningsRecord> {
  const record = await records.get(agentLearningsCollection, agent)
  return { record, learnings: record ? Learnings.parse(record.data).learnings : [] }
}

/** The label of the record is what its entries were made from, joined by whoever writes one. */
export function keepLearnings(
  records: Pick<Records, 'insert' | 'replace'>,
  agent: string,
  before: StoredRecord | undefined,
  { learnings, label }: { readonly learnings: readonly GoalEntry[]; readonly label: Label | null },
): Promise<StoredRecord> {
  const data = { learnings } as unknown as JsonObject
  return before
    ? records.replace(agentLearningsCollection, agent, before.version, data, label)
    : records.insert(agentLearningsCollection, agent, data, label)
}

/** A run that had read nothing but the operator's words wrote it, or the operator did. */
export const isTold = ({ label }: Pick<GoalEntry, 'label'>): boolean => label === null

export const learningView = (entry: GoalEntry): AgentLearning => ({ ...entry, waits: !isTold(entry) })
