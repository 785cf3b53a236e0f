/** Says what can be done next for the open goals: the steps that nothing stands before, the most urgent goal first. */
import { isGoalOverdue, type JsonObject, readySteps } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { tellingOf } from '../records/kept-label.ts'
import { lines } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { reading, readsGoals } from './facts.ts'
import { allGoals, type GoalRecord, missingGoal, stepsOf } from './goal-lookup.ts'
import { urgency } from './list-goals.ts'

export const getNextActions = defineTool({
  ...reading,
  version: '2',
  runs: 'gateway',
  name: 'get_next_actions',
  description:
    'Say what to do next for the active goals, or for one of them: the steps that nothing stands before.',
  input: z.strictObject({ goalId: nameText(100).exactOptional(), limit: z.int().min(1).default(5) }),
  limit: { param: 'limit', max: 20, default: 5 },
  tags: ['objective', 'next step', 'what now', 'what should i do', 'recommend', 'focus', 'todo'],
  describe: ({ goalId }) =>
    goalId === undefined ? 'Look for next actions' : `Look for next actions of ${goalId}`,
  preview: (args) => fieldsCard('Next actions', { ...args }),
  async effects({ goalId }, context) {
    if (goalId !== undefined && !(await context.records.get('goals', goalId)))
      return { kind: 'invalid', reason: missingGoal(goalId) }
    return readsGoals('next actions of goals')
  },
  async run({ goalId, limit }, context) {
    const goals = (await allGoals(context))
      .filter(({ goal }) => (goalId === undefined ? goal.status === 'active' : goal.id === goalId))
      .toSorted(urgency)
    const actions: JsonObject[] = []
    const read: { label: GoalRecord['record']['label'] }[] = []
    for (const each of goals) {
      if (actions.length >= limit) break
      const steps = await stepsOf(context, each.goal.id)
      read.push({ label: each.goal.ownLabel }, ...steps.map(({ record }) => record))
      actions.push(
        ...actionsOf(
          each,
          steps.map(({ step }) => step),
          context.now,
        ),
      )
    }
    const shown = actions.slice(0, limit)
    const text =
      shown.length === 0
        ? 'Nothing to do next: there is no active goal. Create one with create_goal.'
        : `Next actions, the most urgent first:\n${lines(shown)}`
    return tellingOf(read, succeeded(text, `Found ${shown.length} next actions`))
  },
})

function actionsOf({ goal }: GoalRecord, steps: Parameters<typeof readySteps>[0], now: Date): JsonObject[] {
  const about = {
    goal: goal.title,
    goalId: goal.id,
    priority: goal.priority,
    ...(isGoalOverdue(goal, now) ? { overdue: true } : {}),
  }
  if (goal.status !== 'active')
    return [{ ...about, action: `The goal is ${goal.status}; nothing is done for it.` }]
  const ready = readySteps(steps)
  if (ready.length > 0)
    return ready.map(({ id, title, status }) => ({ ...about, action: title, stepId: id, status }))
  if (steps.length === 0) return [{ ...about, action: 'Break it into steps with decompose_goal.' }]
  const blocked = steps.filter(({ status }) => status === 'blocked')
  if (blocked.length > 0)
    return [{ ...about, action: `Clear what blocks: ${blocked.map(({ title }) => title).join('; ')}` }]
  return [{ ...about, action: 'All steps are done: complete the goal with update_goal, or add steps.' }]
}
