/** Owns the rows of goals and their steps within a transaction. */
import {
  CountersignError,
  type Goal,
  type GoalNode,
  type GoalStep,
  type GoalView,
  goalFrom,
  goalNode,
  isGoalOverdue,
  mostGoalSteps,
  mostGoals,
  readySteps,
  type StepView,
  type StoredRecord,
  stepFrom,
  stepsInOrder,
  type WithId,
} from '@countersign/contract'
import type { AssistantTransaction } from '../assistant-context.ts'

export const goalsCollection = 'goals'
export const stepsCollection = 'goal_steps'
const mostSteps = 10_000

export interface GoalRecord {
  readonly record: StoredRecord
  readonly goal: WithId<Goal>
}

export interface GoalStepRecord {
  readonly record: StoredRecord
  readonly step: WithId<GoalStep>
}

type RecordReader = Pick<AssistantTransaction, 'records'>

export async function goalsIn({ records }: RecordReader): Promise<GoalRecord[]> {
  const page = await records.list(goalsCollection, { limit: mostGoals })
  return page.records.map((record) => ({ record, goal: goalFrom(record) }))
}

/** Of one goal or of all, in their order. */
export async function stepsIn({ records }: RecordReader, goalId?: string): Promise<GoalStepRecord[]> {
  const asked = goalId === undefined ? { limit: mostSteps } : { where: { goalId }, limit: mostGoalSteps }
  const found = (await records.list(stepsCollection, asked)).records
  const byId = new Map(found.map((record) => [record.id, record]))
  return stepsInOrder(found.map(stepFrom)).flatMap((step) => {
    const record = byId.get(step.id)
    return record ? [{ record, step }] : []
  })
}

export async function knownGoal({ records }: RecordReader, id: string): Promise<GoalRecord> {
  const record = await records.get(goalsCollection, id)
  if (!record)
    throw new CountersignError('not_found', `There is no goal ${id}.`, {
      next: 'List them with `countersign goal list --all`.',
    })
  return { record, goal: goalFrom(record) }
}

export const nodesOf = (goals: readonly GoalRecord[]): GoalNode[] => goals.map(({ goal }) => goalNode(goal))

export function goalView({ record, goal }: GoalRecord, now: Date): GoalView {
  const { version, createdAt, updatedAt, label } = record
  return { ...goal, version, createdAt, updatedAt, label, overdue: isGoalOverdue(goal, now) }
}

/** `all` are the steps of the same goal. */
export function stepView({ record, step }: GoalStepRecord, all: readonly GoalStepRecord[]): StepView {
  const { version, createdAt, updatedAt, label } = record
  const ready = readySteps(all.map((each) => each.step)).some(({ id }) => id === step.id)
  return { ...step, version, createdAt, updatedAt, label, ready }
}
