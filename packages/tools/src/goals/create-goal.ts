/** Creates a goal. Work that is done for a goal creates goals under it and nowhere else. */
import {
  GoalLimits,
  goalData,
  goalParentProblem,
  heldGoals,
  idFrom,
  mostGoals,
  NewGoal,
  newGoal,
} from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { fieldsCard } from '../records/cards.ts'
import { newId } from '../records/collection.ts'
import { keptLabel } from '../records/kept-label.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { addsTo, changing, invalid, restoringGoals } from './facts.ts'
import { allGoals, type GoalRecord, goalsCollection, nodesOf, ownGoal, reachProblem } from './goal-lookup.ts'

/** Money is left to the operator, whose budgets hold it. */
export const modelLimits = GoalLimits.omit({ moneyPerDayUsd: true })

export const createGoal = defineTool({
  ...changing,
  runs: 'gateway',
  name: 'create_goal',
  description:
    'Create a goal: something to reach over days or weeks. parentId puts it under another goal; priority goes from 1 to 10, the most urgent; limits narrow what work for it may touch.',
  input: z.strictObject({
    title: NewGoal.shape.title,
    description: NewGoal.shape.description,
    parentId: nameText(100).exactOptional(),
    priority: NewGoal.shape.priority,
    due: NewGoal.shape.due,
    limits: modelLimits.exactOptional(),
  }),
  tags: [
    'objective',
    'aim',
    'target',
    'long-term',
    'project',
    'resolution',
    'new',
    'i want to',
    'achieve',
    'sub-goal',
  ],
  describe: ({ title }) => `Create the goal “${title}”`,
  preview: (args) => fieldsCard('New goal', { ...args }),
  async effects({ parentId }, context) {
    const problem = placed(parentId ?? null, await allGoals(context))
    return problem === undefined ? addsTo(goalsCollection, 'a new goal') : invalid(problem)
  },
  async run(args, context) {
    const goals = await allGoals(context)
    const parentId = args.parentId ?? ownGoal(context) ?? null
    const problem = (parentId && reachProblem(context, parentId, goals)) || placed(parentId, goals)
    if (problem !== undefined) return failed(problem)
    const given = { ...args, ...(parentId === null ? {} : { parentId }) }
    const record = await addGoal(context, given, goals)
    return succeeded(
      `Created the goal.\n${JSON.stringify({ id: record.id, title: args.title, ...(parentId === null ? {} : { parentId }) })}`,
      `Created the goal “${args.title}”`,
      {
        tool: restoringGoals,
        args: recordUndo([{ collection: goalsCollection, id: record.id, before: null, after: record }]).args,
      },
    )
  },
})

/** Adds the goal, held where the one above it is. */
export async function addGoal(context: RecordToolContext, given: NewGoal, goals: readonly GoalRecord[]) {
  const data = newGoal(given, idFrom('ses', context.uuid()), keptLabel(context))
  const id = newId('goal', context.uuid())
  const record = await context.records.insert(goalsCollection, id, goalData(data), keptLabel(context))
  if (given.parentId !== undefined && heldGoals(nodesOf(goals)).has(given.parentId))
    await context.assistant.hold([id], true)
  return record
}

function placed(parentId: string | null, goals: readonly GoalRecord[]): string | undefined {
  if (goals.length >= mostGoals)
    return `There are ${mostGoals} goals already. Remove some that have ended before adding another.`
  return goalParentProblem(null, parentId, nodesOf(goals))
}
