/** Owns the shapes of goals and of the tasks of agents on the HTTP API. */
import { z } from 'zod'
import { AgentTask } from './agent-task.ts'
import { StopReason } from './events.ts'
import {
  Goal,
  GoalChange,
  GoalEntry,
  GoalEntryText,
  GoalStep,
  mostGoalSteps,
  NewGoal,
  StepChange,
  StepDescription,
  StepTitle,
} from './goal.ts'
import { RunId } from './ids.ts'
import { Label } from './trust.ts'

export * from './agent-task.ts'
export * from './goal.ts'
export * from './goal-limits.ts'
export * from './goal-tree.ts'

const kept = {
  id: z.string(),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Set where untrusted content led to it. */
  label: Label.nullable(),
}

export const GoalView = z.strictObject({ ...Goal.shape, ...kept, overdue: z.boolean() })
export type GoalView = z.infer<typeof GoalView>

export const StepView = z.strictObject({ ...GoalStep.shape, ...kept, ready: z.boolean() })
export type StepView = z.infer<typeof StepView>

export const AgentTaskView = z.strictObject({ ...AgentTask.shape, ...kept })
export type AgentTaskView = z.infer<typeof AgentTaskView>

export const GoalColumn = z.enum(['active', 'waiting-on-you', 'waiting-on-world', 'paused', 'done'])
export type GoalColumn = z.infer<typeof GoalColumn>

export const goalColumnTitle: Readonly<Record<GoalColumn, string>> = {
  active: 'Active',
  'waiting-on-you': 'Waiting on you',
  'waiting-on-world': 'Waiting on world',
  paused: 'Paused',
  done: 'Done',
}

/** What waits for the operator in a run under the goal. */
export const GoalAsk = z.strictObject({
  kind: z.enum(['approval', 'question']),
  /** The code of an approval, the id of a question. */
  ref: z.string(),
  text: z.string(),
  run: RunId,
})
export type GoalAsk = z.infer<typeof GoalAsk>

export const GoalCard = z.strictObject({
  goal: GoalView,
  column: GoalColumn,
  /** The goals above it, from the top. */
  path: z.array(z.string()),
  nextStep: z.string().nullable(),
  lastOutcome: z
    .strictObject({ run: RunId, at: z.string(), reason: StopReason, message: z.string() })
    .nullable(),
  agentsRunning: z.int(),
  asks: z.array(GoalAsk),
  spentTodayUsd: z.number(),
  /** The lowest of its own and of those above it; null where none is set. */
  moneyPerDayUsd: z.number().nullable(),
  tierMax: z.int().nullable(),
  /** It runs, and nothing has happened for long. */
  stuckSince: z.string().nullable(),
  /** The paused goal above it that holds it. */
  heldBy: z.string().nullable(),
})
export type GoalCard = z.infer<typeof GoalCard>

export const GoalBoard = z.strictObject({
  columns: z.array(z.strictObject({ column: GoalColumn, title: z.string(), cards: z.array(GoalCard) })),
})
export type GoalBoard = z.infer<typeof GoalBoard>

export const GoalDetail = z.strictObject({
  card: GoalCard,
  steps: z.array(StepView),
  subGoals: z.array(GoalView),
  tasks: z.array(AgentTaskView),
})
export type GoalDetail = z.infer<typeof GoalDetail>

export const GoalReply = z.strictObject({ goal: GoalView, ledger: z.int() })
export type GoalReply = z.infer<typeof GoalReply>

/** A pause holds more than the goal itself. */
export const GoalHeldReply = z.strictObject({ goal: GoalView, goals: z.int(), ledger: z.int() })
export type GoalHeldReply = z.infer<typeof GoalHeldReply>

export const AddGoal = NewGoal
export const SetGoal = GoalChange

export const AddStep = z.strictObject({
  title: StepTitle,
  description: StepDescription.exactOptional(),
  dependsOn: z.array(z.string()).max(mostGoalSteps).exactOptional(),
})
export type AddStep = z.infer<typeof AddStep>
export const SetStep = StepChange
export const StepReply = z.strictObject({ step: StepView, ledger: z.int() })
export type StepReply = z.infer<typeof StepReply>

export const AddGoalEntry = z.strictObject({ text: GoalEntryText })
export type AddGoalEntry = z.infer<typeof AddGoalEntry>
export const GoalEntryReply = z.strictObject({ entry: GoalEntry, ledger: z.int() })
export type GoalEntryReply = z.infer<typeof GoalEntryReply>

export const AgentTaskReply = z.strictObject({ task: AgentTaskView, ledger: z.int() })
export type AgentTaskReply = z.infer<typeof AgentTaskReply>

/** What the monitor saw and did, the newest look. */
export const HealthFinding = z.strictObject({
  kind: z.enum([
    'run_stuck',
    'task_stale',
    'goal_stale',
    'task_retried',
    'task_expired',
    'task_cancelled_running',
    'tasks_cleaned',
  ]),
  /** The run, task or goal. */
  id: z.string(),
  /** In words: what was seen, and what was done. */
  seen: z.string(),
  done: z.string(),
})
export type HealthFinding = z.infer<typeof HealthFinding>

export const HealthInspection = z.strictObject({
  at: z.string(),
  findings: z.array(HealthFinding),
  /** What the monitor could not do, in words. */
  problems: z.array(z.string()),
  /** When a paused task is tried again, the earliest; null without one. */
  nextRetryAt: z.string().nullable(),
})
export type HealthInspection = z.infer<typeof HealthInspection>
