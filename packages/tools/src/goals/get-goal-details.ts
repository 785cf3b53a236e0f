/** Tells everything about one goal: its words, steps, notes, learnings, limits and the goals around it. */
import { type GoalEntry, goalPath, type JsonObject, type JsonValue } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { shortened } from '../records/collection.ts'
import { tellingOf } from '../records/kept-label.ts'
import { lines } from '../records/record-lines.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { reading, readsGoals } from './facts.ts'
import {
  allGoals,
  goalSummary,
  missingGoal,
  nodesOf,
  pathWords,
  stepSummary,
  stepsOf,
} from './goal-lookup.ts'

/** What a note or a learning may take of the answer. */
const longestEntry = 1_000

export const getGoalDetails = defineTool({
  ...reading,
  runs: 'gateway',
  name: 'get_goal_details',
  description: 'Show one goal with its steps, notes, learnings, limits and the goals above and under it.',
  input: z.strictObject({ goalId: nameText(100) }),
  tags: ['objective', 'show', 'read', 'notes', 'learnings', 'steps', 'how far', 'status'],
  describe: ({ goalId }) => `Show the goal ${goalId}`,
  preview: ({ goalId }) => ({ kind: 'text', title: 'Show goal', text: goalId }),
  async effects({ goalId }, context) {
    const found = await context.records.get('goals', goalId)
    return found ? readsGoals('a goal') : { kind: 'invalid', reason: missingGoal(goalId) }
  },
  async run({ goalId }, context) {
    const goals = await allGoals(context)
    const found = goals.find(({ goal }) => goal.id === goalId)
    if (!found) return failed(missingGoal(goalId))
    const steps = await stepsOf(context, goalId)
    const under = goals.filter(({ goal }) => goal.parentId === goalId)
    const { goal } = found
    const parts: (readonly [string, JsonObject[]])[] = [
      ['Steps', steps.map(stepSummary)],
      ['Goals under it', under.map((each) => goalSummary(each))],
      ['Notes, the newest last', goal.notes.map(entryOf)],
      ['Learnings', goal.learnings.map(entryOf)],
    ]
    const text = [
      `Goal: ${pathWords(goalId, goals)}`,
      JSON.stringify({ ...goalSummary(found), limits: goal.limits as JsonValue }),
      ...parts.flatMap(([title, rows]) => (rows.length === 0 ? [] : [`${title}:`, lines(rows)])),
    ].join('\n')
    // The titles above it are told too.
    const above = new Set(goalPath(goalId, nodesOf(goals)).map(({ id }) => id))
    const path = goals.flatMap(({ goal: { id, ownLabel } }) => (above.has(id) ? [{ label: ownLabel }] : []))
    const read = [...path, ...[found, ...under, ...steps].map(({ record }) => record)]
    return tellingOf(read, succeeded(text, `Showed the goal “${goal.title}”`))
  },
})

function entryOf({ id, text, at, by }: GoalEntry): JsonObject {
  return { id, at, by, text: shortened(text, longestEntry) }
}
