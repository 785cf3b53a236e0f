/** Marks a step, and reckons the progress of its goal anew. Refuses a step that others stand before. */
import {
  changedStep,
  goalData,
  StepStatus,
  type StoredRecord,
  stepData,
  stepFrom,
  stepProgress,
} from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { keptLabel, tellingOf } from '../records/kept-label.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { changing, restoringGoals } from './facts.ts'
import {
  allGoals,
  findGoal,
  type GoalRecord,
  goalsCollection,
  missingStep,
  reachProblem,
  stepSummary,
  stepsCollection,
  stepsOf,
} from './goal-lookup.ts'

export const completeStep = defineTool({
  ...changing,
  runs: 'gateway',
  name: 'complete_step',
  description:
    'Mark a step of a goal as completed. With status it is marked in_progress, skipped, blocked or pending instead. The progress of the goal follows.',
  input: z.strictObject({ stepId: nameText(100), status: StepStatus.default('completed') }),
  tags: ['objective', 'goal', 'done', 'finish', 'milestone', 'tick off', 'skip', 'blocked', 'begin'],
  describe: ({ stepId, status }) => `Mark the step ${stepId} as ${status}`,
  preview: ({ stepId, status }) => ({ kind: 'text', title: `Mark as ${status}`, text: stepId }),
  async effects({ stepId, status }, context) {
    const looked = await findPresent(stepId, status, context)
    if (typeof looked === 'string') return { kind: 'invalid', reason: looked }
    const { found, record } = looked
    return {
      kind: 'found',
      resources: [
        recordResource(stepsCollection, stepId, 'write', record.version),
        recordResource(goalsCollection, found.goal.id, 'write', found.record.version),
      ],
      effects: [recordEffect('write', `a step of the goal “${found.goal.title}”`)],
    }
  },
  async run({ stepId, status }, context) {
    const looked = await findPresent(stepId, status, context)
    if (typeof looked === 'string') return failed(looked)
    const { found, record, data, progress } = looked
    const problem = reachProblem(context, found.goal.id, await allGoals(context))
    if (problem !== undefined) return failed(problem)
    const step = await context.records.replace(
      stepsCollection,
      stepId,
      record.version,
      stepData(data),
      keptLabel(context, record.label),
    )
    const { id, ...goal } = found.goal
    const after = await context.records.replace(
      goalsCollection,
      id,
      found.record.version,
      goalData({ ...goal, progress }),
      keptLabel(context, found.record.label),
    )
    const summary = `Marked “${data.title}” as ${status}`
    const undo = recordUndo([
      { collection: stepsCollection, id: stepId, before: record, after: step },
      { collection: goalsCollection, id, before: found.record, after },
    ])
    const told = JSON.stringify({
      ...stepSummary({ record: step, step: stepFrom(step) }),
      goalProgress: progress,
    })
    return tellingOf(
      [step, after],
      succeeded(`${summary}.\n${told}`, summary, { tool: restoringGoals, args: undo.args }),
    )
  },
})

interface StepChange {
  readonly found: GoalRecord
  readonly record: StoredRecord
  readonly data: Parameters<typeof stepData>[0]
  readonly progress: number
}

async function findPresent(
  stepId: string,
  status: StepStatus,
  context: RecordToolContext,
): Promise<StepChange | string> {
  const record = await context.records.get(stepsCollection, stepId)
  if (!record) return missingStep(stepId)
  const step = stepFrom(record)
  const found = await findGoal(context, step.goalId)
  if (!found) return `The goal of the step ${stepId} is gone.`
  const all = (await stepsOf(context, step.goalId)).map((each) => each.step)
  const made = changedStep(step, { status }, all, context.now)
  if (made.kind === 'invalid') return made.reason
  const after = all.map((each) => (each.id === stepId ? { ...made.data, id: stepId } : each))
  return { found, record, data: made.data, progress: stepProgress(after) ?? found.goal.progress }
}
