/** Owns how the tools find goals and their steps, and which of them a call may change. */
import {
  type Goal,
  type GoalStep,
  goalFrom,
  goalNode,
  goalPath,
  goalsUnder,
  type JsonObject,
  mostGoalSteps,
  mostGoals,
  type StoredRecord,
  stepFrom,
  stepsInOrder,
  type WithId,
} from '@countersign/contract'
import type { RecordToolContext } from '../record-tool-context.ts'

export const goalsCollection = 'goals'
export const stepsCollection = 'goal_steps'

export interface GoalRecord {
  readonly record: StoredRecord
  readonly goal: WithId<Goal>
}

export interface GoalStepRecord {
  readonly record: StoredRecord
  readonly step: WithId<GoalStep>
}

export async function findGoal(context: RecordToolContext, id: string): Promise<GoalRecord | undefined> {
  const record = await context.records.get(goalsCollection, id)
  return record && { record, goal: goalFrom(record) }
}

export async function allGoals(context: RecordToolContext): Promise<GoalRecord[]> {
  const { records } = await context.records.list(goalsCollection, { limit: mostGoals })
  return records.map((record) => ({ record, goal: goalFrom(record) }))
}

/** In their order. */
export async function stepsOf(context: RecordToolContext, goalId: string): Promise<GoalStepRecord[]> {
  const { records } = await context.records.list(stepsCollection, { where: { goalId }, limit: mostGoalSteps })
  const byId = new Map(records.map((record) => [record.id, record]))
  return stepsInOrder(records.map(stepFrom)).flatMap((step) => {
    const record = byId.get(step.id)
    return record ? [{ record, step }] : []
  })
}

export const nodesOf = (goals: readonly GoalRecord[]) => goals.map(({ goal }) => goalNode(goal))

/** The titles from the top down to the goal. */
export function pathWords(id: string, goals: readonly GoalRecord[]): string {
  const titles = new Map(goals.map(({ goal }) => [goal.id, goal.title]))
  return goalPath(id, nodesOf(goals))
    .toReversed()
    .map((node) => titles.get(node.id) ?? node.id)
    .join(' › ')
}

/** The goal that the calling work is done for; null for none, undefined where nobody said. */
export function ownGoal(context: RecordToolContext): string | null | undefined {
  return context.cause?.goal
}

/** Work that is done for a goal keeps to that goal and what is under it, so that it cannot leave its limits. */
export function reachProblem(
  context: RecordToolContext,
  id: string,
  goals: readonly GoalRecord[],
): string | undefined {
  const own = ownGoal(context)
  if (own === null || own === undefined || own === id) return undefined
  if (goalsUnder(own, nodesOf(goals)).some((node) => node.id === id)) return undefined
  return `This work is done for the goal ${own} and can change that goal and those under it, not ${id}. Tell the operator what should change there.`
}

export function missingGoal(id: string): string {
  return `There is no goal ${id}. Look its id up with list_goals.`
}

export function missingStep(id: string): string {
  return `There is no step ${id}. Look its id up with get_goal_details.`
}

/** What a list tells of a goal: without notes, learnings and what the product keeps for itself. */
export function goalSummary({ goal }: GoalRecord): JsonObject {
  const { id, title, status, priority, progress, due, parentId, description } = goal
  return {
    id,
    title,
    status,
    priority,
    progress,
    ...(due === undefined ? {} : { due }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(description === undefined ? {} : { description }),
  }
}

export function stepSummary({ step }: GoalStepRecord): JsonObject {
  const { id, title, status, description, dependsOn } = step
  return {
    id,
    title,
    status,
    ...(description === undefined ? {} : { description }),
    ...(dependsOn.length === 0 ? {} : { dependsOn }),
  }
}
