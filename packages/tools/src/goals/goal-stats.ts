/** Counts goals and steps by state, and names what is overdue or has not moved for a week. */
import { GoalStatus, isGoalOverdue, openGoalStates, type StepStatus, stepFrom } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { tellingOf } from '../records/kept-label.ts'
import { succeeded } from '../result.ts'
import { reading, readsGoals } from './facts.ts'
import { allGoals, stepsCollection } from './goal-lookup.ts'

const week = 7 * 24 * 60 * 60_000
/** Enough for a thousand goals with a hundred steps each would be too much to read; the newest tell enough. */
const mostCounted = 10_000
const mostNamed = 10

export const goalStats = defineTool({
  ...reading,
  runs: 'gateway',
  name: 'goal_stats',
  description:
    'Report on all goals: how many in which state, the progress, what is overdue and what stands still.',
  input: z.strictObject({}),
  tags: ['objectives', 'statistics', 'report', 'overview', 'progress', 'overdue', 'how am i doing'],
  describe: () => 'Report on all goals',
  preview: () => ({ kind: 'text', title: 'Report', text: 'all goals' }),
  effects: async () => readsGoals('a report on goals'),
  async run(_args, context) {
    const goals = await allGoals(context)
    const page = await context.records.list(stepsCollection, { limit: mostCounted })
    const steps: Partial<Record<StepStatus, number>> = {}
    for (const { status } of page.records.map(stepFrom)) steps[status] = (steps[status] ?? 0) + 1
    const open = goals.filter(({ goal }) => openGoalStates.includes(goal.status))
    const since = new Date(context.now.getTime() - week).toISOString()
    const still = open.filter(({ goal, record }) => goal.status !== 'paused' && record.updatedAt < since)
    const overdue = open.filter(({ goal }) => isGoalOverdue(goal, context.now))
    const named = (list: typeof goals) =>
      list.slice(0, mostNamed).map(({ goal: { id, title } }) => ({ id, title }))
    const report = {
      goals: Object.fromEntries(
        GoalStatus.options.map((status) => [
          status,
          goals.filter(({ goal }) => goal.status === status).length,
        ]),
      ),
      steps,
      averageProgressOfOpen:
        open.length === 0
          ? null
          : Math.round(open.reduce((sum, { goal }) => sum + goal.progress, 0) / open.length),
      completedInSevenDays: goals.filter(
        ({ goal }) => goal.status === 'completed' && (goal.endedAt ?? '') >= since,
      ).length,
      overdue: named(overdue),
      notChangedForSevenDays: named(still),
    }
    const text =
      goals.length === 0 ? 'There are no goals yet. Create one with create_goal.' : JSON.stringify(report)
    return tellingOf(
      [...overdue.slice(0, mostNamed), ...still.slice(0, mostNamed)].map(({ goal }) => ({
        label: goal.ownLabel,
      })),
      succeeded(text, `${goals.length} goals, ${open.length} open`),
    )
  },
})
