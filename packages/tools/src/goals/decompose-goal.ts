/** Breaks a goal into steps and goals under it, as they are given. */
import {
  GoalPriority,
  GoalTitle,
  goalParentProblem,
  mostGoalSteps,
  mostGoals,
  NewGoal,
  StepDescription,
  StepTitle,
  type StoredRecord,
} from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { rowsCard } from '../records/cards.ts'
import { newId } from '../records/collection.ts'
import { keptLabel, tellingOf } from '../records/kept-label.ts'
import { counted, lines } from '../records/record-lines.ts'
import { type RecordChange, recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { addGoal } from './create-goal.ts'
import { addsTo, changing, invalid, restoringGoals } from './facts.ts'
import {
  allGoals,
  type GoalRecord,
  goalsCollection,
  missingGoal,
  nodesOf,
  reachProblem,
  stepsCollection,
  stepsOf,
} from './goal-lookup.ts'

const Steps = z
  .array(
    z.strictObject({
      title: StepTitle,
      description: StepDescription.exactOptional(),
      dependsOn: z
        .array(z.int().min(1))
        .max(50)
        .describe('Numbers of earlier steps in this list, from 1')
        .exactOptional(),
    }),
  )
  .max(50)
  .refine(
    (steps) => steps.every(({ dependsOn = [] }, location) => dependsOn.every((number) => number <= location)),
    'a step can only wait for steps before it in this list, numbered from 1',
  )

const SubGoals = z
  .array(
    z.strictObject({
      title: GoalTitle,
      description: NewGoal.shape.description,
      priority: GoalPriority.exactOptional(),
      due: NewGoal.shape.due,
    }),
  )
  .max(20)

interface Parts {
  readonly steps?: z.infer<typeof Steps>
  readonly subGoals?: z.infer<typeof SubGoals>
}

export const decomposeGoal = defineTool({
  ...changing,
  runs: 'gateway',
  name: 'decompose_goal',
  description:
    'Break a goal into steps, goals under it, or both. Steps are added after those that are there; dependsOn names earlier steps of this list by number.',
  input: z
    .strictObject({ goalId: nameText(100), steps: Steps.exactOptional(), subGoals: SubGoals.exactOptional() })
    .refine(
      ({ steps = [], subGoals = [] }) => steps.length + subGoals.length > 0,
      'Give the steps, the goals under it, or both.',
    ),
  tags: ['objective', 'break down', 'split', 'sub-goals', 'steps', 'milestones', 'roadmap', 'how to reach'],
  describe: ({ goalId, ...parts }) => `Add ${partWords(parts)} to the goal ${goalId}`,
  preview: ({ goalId, steps = [], subGoals = [] }) =>
    rowsCard(
      `Parts of ${goalId}`,
      ['kind', 'title', 'description', 'dependsOn', 'priority', 'due'],
      [
        ...steps.map((step) => ({ kind: 'step', ...step })),
        ...subGoals.map((goal) => ({ kind: 'goal', ...goal })),
      ],
    ),
  async effects({ goalId, ...parts }, context) {
    const problem = await problemOf(goalId, parts, context, await allGoals(context))
    if (problem !== undefined) return invalid(problem)
    const [steps, goals] = [addsTo(stepsCollection, ''), addsTo(goalsCollection, '')]
    return {
      ...addsTo(stepsCollection, partWords(parts)),
      resources: [
        ...(parts.steps?.length ? steps.resources : []),
        ...(parts.subGoals?.length ? goals.resources : []),
      ],
    }
  },
  async run({ goalId, ...parts }, context) {
    const goals = await allGoals(context)
    const problem = reachProblem(context, goalId, goals) ?? (await problemOf(goalId, parts, context, goals))
    if (problem !== undefined) return failed(problem)
    const steps = await addSteps(context, goalId, parts.steps ?? [])
    const under: StoredRecord[] = []
    for (const each of parts.subGoals ?? [])
      under.push(await addGoal(context, { ...each, parentId: goalId }, goals))
    const changes: RecordChange[] = [
      ...steps.map((after) => ({ collection: stepsCollection, id: after.id, before: null, after })),
      ...under.map((after) => ({ collection: goalsCollection, id: after.id, before: null, after })),
    ]
    const summaries = [
      ...steps.map(({ id, data }) => ({ id, step: data['title'] ?? '' })),
      ...under.map(({ id, data }) => ({ id, goal: data['title'] ?? '' })),
    ]
    const summary = `Added ${partWords(parts)}`
    return tellingOf(
      [...steps, ...under],
      succeeded(`${summary}.\n${lines(summaries)}`, summary, {
        tool: restoringGoals,
        args: recordUndo(changes).args,
      }),
    )
  },
})

async function addSteps(
  context: RecordToolContext,
  goalId: string,
  steps: NonNullable<Parts['steps']>,
): Promise<StoredRecord[]> {
  const there = await stepsOf(context, goalId)
  const first = Math.max(0, ...there.map(({ step }) => step.order + 1))
  const added: StoredRecord[] = []
  for (const [location, { dependsOn = [], ...step }] of steps.entries()) {
    const before = dependsOn.flatMap((number) => added[number - 1]?.id ?? [])
    const data = { ...step, goalId, status: 'pending', order: first + location, dependsOn: before }
    added.push(
      await context.records.insert(stepsCollection, newId('step', context.uuid()), data, keptLabel(context)),
    )
  }
  return added
}

async function problemOf(
  goalId: string,
  { steps = [], subGoals = [] }: Parts,
  context: RecordToolContext,
  goals: readonly GoalRecord[],
): Promise<string | undefined> {
  if (!goals.some(({ goal }) => goal.id === goalId)) return missingGoal(goalId)
  if ((await stepsOf(context, goalId)).length + steps.length > mostGoalSteps)
    return `A goal has at most ${mostGoalSteps} steps. Put some of them into goals under it.`
  if (subGoals.length === 0) return undefined
  if (goals.length + subGoals.length > mostGoals)
    return `There can be ${mostGoals} goals at most. Remove some that have ended.`
  return goalParentProblem(null, goalId, nodesOf(goals))
}

function partWords({ steps = [], subGoals = [] }: Parts): string {
  return [
    ...(steps.length > 0 ? [counted(steps.length, 'step', 'steps')] : []),
    ...(subGoals.length > 0 ? [counted(subGoals.length, 'goal under it', 'goals under it')] : []),
  ].join(' and ')
}
