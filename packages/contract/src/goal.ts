/**
 * Owns what a goal and its steps are, and from which state a goal may come into which. Pure. Refuses a change that the
 * table of states does not have.
 */
import { z } from 'zod'
import { changedLimits, GoalLimits, GoalLimitsChange } from './goal-limits.ts'
import type { GoalNode } from './goal-tree.ts'
import type { JsonObject } from './json/value.ts'
import { timeOf } from './record-time.ts'
import type { StoredRecord } from './records.ts'
import { Label } from './trust.ts'

export const GoalStatus = z.enum(['active', 'waiting', 'paused', 'completed', 'abandoned', 'archived'])
export type GoalStatus = z.infer<typeof GoalStatus>

/**
 * The life of the goal and the life of its agent in one: an agent that works is an active goal, one that waits for the
 * world or for a person is a waiting goal, and one that was put away is an archived goal.
 */
export const goalTransitions: Readonly<Record<GoalStatus, readonly GoalStatus[]>> = {
  active: ['waiting', 'paused', 'completed', 'abandoned', 'archived'],
  waiting: ['active', 'paused', 'completed', 'abandoned', 'archived'],
  paused: ['active', 'completed', 'abandoned', 'archived'],
  completed: ['active', 'archived'],
  abandoned: ['active', 'archived'],
  archived: ['active'],
}

/** Those that somebody still wants. */
export const openGoalStates: readonly GoalStatus[] = ['active', 'waiting', 'paused']

/** One line, shown as a name. */
const line = (longest: number) =>
  z
    .string()
    .refine(
      (text) =>
        text.trim() !== '' &&
        text.length <= longest &&
        text.isWellFormed() &&
        !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
      `must be one line of 1 to ${longest} characters`,
    )

/** Text of many lines. */
const prose = (longest: number) =>
  z
    .string()
    .refine(
      (text) => text.length <= longest && text.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(text),
      `must be text of at most ${longest} characters`,
    )

const words = (longest: number) => prose(longest).refine((text) => text.trim() !== '', 'must not be empty')

const due = z
  .string()
  .refine((text) => timeOf(text) !== undefined, 'must be a date or a time that exists, as 2026-03-31')

export const GoalTitle = line(300)
export const GoalDescription = prose(20_000)
export const GoalPriority = z.int().min(1).max(10)
export const GoalProgress = z.int().min(0).max(100)
export const GoalDue = due
export const GoalEntryText = words(4_000)
/** From an hour to 24 days. */
export const GoalCheckIn = z.int().min(1).max(576)
export const StepTitle = line(500)
export const StepDescription = prose(4_000)

/** A note or a learning: what was written down, when, by whom, and what it was made from. */
export const GoalEntry = z.strictObject({
  id: z.string(),
  text: z.string(),
  at: z.string(),
  /** The agent that wrote it, by id, or `operator`. */
  by: z.string(),
  label: Label.nullable(),
})
export type GoalEntry = z.infer<typeof GoalEntry>

/** More would fill every prompt of the goal. The oldest go first. */
export const mostGoalEntries = 100
export const mostGoals = 1_000
export const mostGoalSteps = 100

export const Goal = z.strictObject({
  title: GoalTitle,
  description: GoalDescription.exactOptional(),
  parentId: z.string().exactOptional(),
  /** 10 is the most urgent. */
  priority: GoalPriority.default(5),
  status: GoalStatus.default('active'),
  progress: GoalProgress.default(0),
  due: due.exactOptional(),
  limits: GoalLimits.default({}),
  /** Its agent looks at it by itself after so many hours without work. */
  checkInHours: GoalCheckIn.exactOptional(),
  checkedInAt: z.string().exactOptional(),
  notes: z.array(GoalEntry).default([]),
  learnings: z.array(GoalEntry).default([]),
  /** Its conversation, opened by the first message to it. */
  session: z.string(),
  /** It was paused, and its work stays held until it is active again, whatever it becomes meanwhile. */
  held: z.boolean().default(false),
  endedAt: z.string().exactOptional(),
  /** What led to its own words, where that is worth less than the operator's; notes and learnings have theirs. */
  ownLabel: Label.nullable().default(null),
})
export type Goal = z.infer<typeof Goal>

/** What may be set of a new goal. */
export const NewGoal = z.strictObject({
  title: GoalTitle,
  description: GoalDescription.exactOptional(),
  parentId: z.string().max(100).exactOptional(),
  priority: GoalPriority.exactOptional(),
  due: due.exactOptional(),
  limits: GoalLimits.exactOptional(),
  checkInHours: GoalCheckIn.exactOptional(),
})
export type NewGoal = z.infer<typeof NewGoal>

/** What may be set of a goal that is there; null takes a field away. */
export const GoalChange = z.strictObject({
  title: GoalTitle.exactOptional(),
  description: GoalDescription.nullable().exactOptional(),
  parentId: z.string().max(100).nullable().exactOptional(),
  priority: GoalPriority.exactOptional(),
  status: GoalStatus.exactOptional(),
  progress: GoalProgress.exactOptional(),
  due: due.nullable().exactOptional(),
  limits: GoalLimitsChange.exactOptional(),
  checkInHours: GoalCheckIn.nullable().exactOptional(),
})
export type GoalChange = z.infer<typeof GoalChange>

export const StepStatus = z.enum(['pending', 'in_progress', 'completed', 'skipped', 'blocked'])
export type StepStatus = z.infer<typeof StepStatus>

export const GoalStep = z.strictObject({
  goalId: z.string(),
  title: StepTitle,
  description: StepDescription.exactOptional(),
  status: StepStatus.default('pending'),
  order: z.int().min(0),
  /** Steps of the same goal that come before it. */
  dependsOn: z.array(z.string()).max(mostGoalSteps).default([]),
  completedAt: z.string().exactOptional(),
})
export type GoalStep = z.infer<typeof GoalStep>

export const StepChange = z.strictObject({
  title: StepTitle.exactOptional(),
  description: StepDescription.nullable().exactOptional(),
  status: StepStatus.exactOptional(),
  order: z.int().min(0).max(10_000).exactOptional(),
  dependsOn: z.array(z.string()).max(mostGoalSteps).exactOptional(),
})
export type StepChange = z.infer<typeof StepChange>

export type WithId<T> = T & { readonly id: string }

export type GoalMade<T> =
  | { readonly kind: 'made'; readonly data: T }
  | { readonly kind: 'invalid'; readonly reason: string }

export function newGoal(given: NewGoal, session: string, ownLabel: Label | null = null): Goal {
  return Goal.parse({
    ...given,
    ...(given.due === undefined ? {} : { due: kept(given.due) }),
    session,
    ownLabel,
  })
}

export function changedGoal(before: Goal, change: GoalChange, now: Date): GoalMade<Goal> {
  const status = change.status ?? before.status
  if (status !== before.status && !goalTransitions[before.status].includes(status))
    return {
      kind: 'invalid',
      reason: `A goal that is ${before.status} cannot become ${status}. It can become ${goalTransitions[before.status].join(', ')}.`,
    }
  const { limits, ...fields } = change
  const merged = Object.fromEntries(
    Object.entries({ ...before, ...fields }).filter(([name, value]) => value !== null && name !== 'endedAt'),
  ) as Goal
  const ended = !openGoalStates.includes(status)
  return {
    kind: 'made',
    data: {
      ...merged,
      ...(merged.due === undefined ? {} : { due: kept(merged.due) }),
      limits: limits ? changedLimits(before.limits, limits) : before.limits,
      ...(status === 'completed' ? { progress: 100 } : {}),
      held: status === 'paused' || (before.held && status !== 'active' && status !== 'waiting'),
      ...(ended ? { endedAt: before.endedAt ?? now.toISOString() } : {}),
    },
  }
}

/** The goal with one more note or learning. */
export function withEntry(goal: Goal, list: 'notes' | 'learnings', entry: GoalEntry): Goal {
  return { ...goal, [list]: entriesWith(goal[list], entry) }
}

export function entriesWith(entries: readonly GoalEntry[], entry: GoalEntry): GoalEntry[] {
  return [...entries, entry].slice(-mostGoalEntries)
}

/** The goal with the note or learning in other words, or without it where they are null; undefined where there is none. */
export function withChangedEntry(
  goal: Goal,
  list: 'notes' | 'learnings',
  id: string,
  change: Pick<GoalEntry, 'text' | 'label'> | null,
): Goal | undefined {
  const left = changedEntries(goal[list], id, change)
  return left && { ...goal, [list]: left }
}

export function changedEntries(
  entries: readonly GoalEntry[],
  id: string,
  change: Partial<GoalEntry> | null,
): GoalEntry[] | undefined {
  if (!entries.some((entry) => entry.id === id)) return undefined
  return entries.flatMap((entry) =>
    entry.id !== id ? [entry] : change === null ? [] : [{ ...entry, ...change }],
  )
}

export function goalFrom(record: Pick<StoredRecord, 'id' | 'data'>): WithId<Goal> {
  return { id: record.id, ...Goal.parse(record.data) }
}

export function stepFrom(record: Pick<StoredRecord, 'id' | 'data'>): WithId<GoalStep> {
  return { id: record.id, ...GoalStep.parse(record.data) }
}

export function goalData(goal: Goal): JsonObject {
  return goal as unknown as JsonObject
}

export function stepData(step: GoalStep): JsonObject {
  return step as unknown as JsonObject
}

export function goalNode({ id, parentId, held }: WithId<Goal>): GoalNode {
  return { id, parentId: parentId ?? null, held }
}

export function changedStep(
  step: WithId<GoalStep>,
  change: StepChange,
  all: readonly WithId<GoalStep>[],
  now: Date,
): GoalMade<GoalStep> {
  const { id, completedAt, ...before } = step
  const merged = Object.fromEntries(
    Object.entries({ ...before, ...change }).filter(([, value]) => value !== null),
  ) as GoalStep
  const unknown = merged.dependsOn.find((other) => other === id || !all.some((each) => each.id === other))
  if (unknown !== undefined)
    return {
      kind: 'invalid',
      reason: `The step cannot wait for ${unknown}, which is no other step of its goal.`,
    }
  if (waitsInCircle(id, merged.dependsOn, all))
    return { kind: 'invalid', reason: 'The steps would wait for each other in a circle.' }
  const begins = merged.status === 'completed' || merged.status === 'in_progress'
  const blocking = begins && merged.status !== step.status ? unfinished(merged.dependsOn, all) : []
  if (blocking.length > 0)
    return {
      kind: 'invalid',
      reason: `“${step.title}” waits for ${blocking.map(({ title }) => `“${title}”`).join(', ')}. Do that first, or skip it.`,
    }
  const done = merged.status === 'completed'
  return {
    kind: 'made',
    data: { ...merged, ...(done ? { completedAt: completedAt ?? now.toISOString() } : {}) },
  }
}

/** Steps that can be worked on: open, and nothing before them is. */
export function readySteps(steps: readonly WithId<GoalStep>[]): WithId<GoalStep>[] {
  return stepsInOrder(steps).filter(
    ({ status, dependsOn }) =>
      (status === 'pending' || status === 'in_progress') && unfinished(dependsOn, steps).length === 0,
  )
}

export function stepsInOrder<Step extends WithId<GoalStep>>(steps: readonly Step[]): Step[] {
  return steps.toSorted((left, right) => left.order - right.order || (left.id < right.id ? -1 : 1))
}

/** What share of the steps is done; skipped ones do not count. Undefined without any. */
export function stepProgress(steps: readonly GoalStep[]): number | undefined {
  const counted = steps.filter(({ status }) => status !== 'skipped')
  if (counted.length === 0) return undefined
  return Math.round((100 * counted.filter(({ status }) => status === 'completed').length) / counted.length)
}

/** Whether the day or moment is over. A day is over when the next one has begun everywhere. */
export function isGoalOverdue({ due: by, status }: Pick<Goal, 'due' | 'status'>, now: Date): boolean {
  if (by === undefined || !openGoalStates.includes(status)) return false
  const time = timeOf(by)
  if (!time) return false
  return time.kind === 'day' ? time.text < now.toISOString().slice(0, 10) : time.text < now.toISOString()
}

function unfinished(ids: readonly string[], all: readonly WithId<GoalStep>[]): WithId<GoalStep>[] {
  return all.filter(({ id, status }) => ids.includes(id) && status !== 'completed' && status !== 'skipped')
}

function waitsInCircle(id: string, dependsOn: readonly string[], all: readonly WithId<GoalStep>[]): boolean {
  const seen = new Set<string>()
  let next = [...dependsOn]
  while (next.length > 0) {
    if (next.includes(id)) return true
    for (const each of next) seen.add(each)
    next = all
      .filter((step) => next.includes(step.id))
      .flatMap((step) => step.dependsOn)
      .filter((each) => !seen.has(each))
  }
  return false
}

function kept(text: string): string {
  return timeOf(text)?.text ?? text
}
