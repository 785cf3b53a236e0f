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
import type { Desk } from '../desk.ts'

export const goalsCollection = 'goals'
export const stepsCollection = 'goal_steps'

export interface KeptGoal {
  readonly record: StoredRecord
  readonly goal: WithId<Goal>
}

export interface KeptStep {
  readonly record: StoredRecord
  readonly step: WithId<GoalStep>
}

export async function findGoal(desk: Desk, id: string): Promise<KeptGoal | undefined> {
  const record = await desk.records.get(goalsCollection, id)
  return record && { record, goal: goalFrom(record) }
}

export async function allGoals(desk: Desk): Promise<KeptGoal[]> {
  const { records } = await desk.records.list(goalsCollection, { limit: mostGoals })
  return records.map((record) => ({ record, goal: goalFrom(record) }))
}

/** In their order. */
export async function stepsOf(desk: Desk, goalId: string): Promise<KeptStep[]> {
  const { records } = await desk.records.list(stepsCollection, { where: { goalId }, limit: mostGoalSteps })
  const byId = new Map(records.map((record) => [record.id, record]))
  return stepsInOrder(records.map(stepFrom)).flatMap((step) => {
    const record = byId.get(step.id)
    return record ? [{ record, step }] : []
  })
}

export const nodesOf = (goals: readonly KeptGoal[]) => goals.map(({ goal }) => goalNode(goal))

/** The titles from the top down to the goal. */
export function pathWords(id: string, goals: readonly KeptGoal[]): string {
  const titles = new Map(goals.map(({ goal }) => [goal.id, goal.title]))
  return goalPath(id, nodesOf(goals))
    .toReversed()
    .map((node) => titles.get(node.id) ?? node.id)
    .join(' › ')
}

/** The goal that the calling work is done for; null for none, undefined where nobody said. */
export function ownGoal(desk: Desk): string | null | undefined {
  return desk.cause?.goal
}

/** Work that is done for a goal keeps to that goal and what is under it, so that it cannot leave its limits. */
export function reachProblem(desk: Desk, id: string, goals: readonly KeptGoal[]): string | undefined {
  const own = ownGoal(desk)
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
export function briefly({ goal }: KeptGoal): JsonObject {
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

export function stepBriefly({ step }: KeptStep): JsonObject {
  const { id, title, status, description, dependsOn } = step
  return {
    id,
    title,
    status,
    ...(description === undefined ? {} : { description }),
    ...(dependsOn.length === 0 ? {} : { dependsOn }),
  }
}
