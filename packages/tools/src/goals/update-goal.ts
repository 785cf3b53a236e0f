/**
 * Changes a goal. A pause holds the goal and everything under it. Refuses to widen a limit: that is the operator's act,
 * whoever asks for it in a conversation.
 */
import {
  changedGoal,
  changedHolds,
  type GoalChange,
  GoalDescription,
  GoalDue,
  type GoalLimits,
  type GoalMade,
  GoalPriority,
  GoalProgress,
  type Goal as GoalShape,
  GoalStatus,
  GoalTitle,
  goalData,
  goalNode,
  goalsUnder,
  widenedLimits,
} from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { fieldsCard } from '../records/cards.ts'
import { keptLabel, tellingOf } from '../records/kept-label.ts'
import { counted } from '../records/record-lines.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { modelLimits } from './create-goal.ts'
import { changesGoal, changing, invalid, restoringGoals } from './facts.ts'
import {
  allGoals,
  findGoal,
  type GoalRecord,
  goalSummary,
  goalsCollection,
  missingGoal,
  nodesOf,
  reachProblem,
} from './goal-lookup.ts'

export const updateGoal = defineTool({
  ...changing,
  runs: 'gateway',
  name: 'update_goal',
  description:
    'Change a goal: its words, priority, progress, due date or status. paused holds it and everything under it; active lets it go on. Limits can be made narrower, never wider; null removes a date or a description.',
  input: z
    .strictObject({
      goalId: nameText(100),
      title: GoalTitle.exactOptional(),
      description: GoalDescription.nullable().exactOptional(),
      priority: GoalPriority.exactOptional(),
      status: GoalStatus.exactOptional(),
      progress: GoalProgress.exactOptional(),
      due: GoalDue.nullable().exactOptional(),
      limits: modelLimits.exactOptional(),
    })
    .refine((args) => Object.keys(args).length > 1, 'Give at least one field to change.'),
  tags: [
    'objective',
    'edit',
    'progress',
    'pause',
    'resume',
    'complete',
    'achieved',
    'abandon',
    'give up',
    'archive',
    'deadline',
    'limit',
  ],
  describe: ({ goalId, ...changes }) => `Change the goal ${goalId}: ${Object.keys(changes).join(', ')}`,
  preview: ({ goalId, ...changes }) => fieldsCard(`Changes to ${goalId}`, { ...changes }),
  async effects({ goalId, ...change }, context) {
    const found = await findGoal(context, goalId)
    if (!found) return invalid(missingGoal(goalId))
    const made = narrowed(found, change, context)
    if (made.kind === 'invalid') return invalid(made.reason)
    const under = goalsUnder(goalId, nodesOf(await allGoals(context))).length
    const more =
      under > 0 && made.data.held !== found.goal.held
        ? ` and ${counted(under, 'goal', 'goals')} under it`
        : ''
    return changesGoal(found, more)
  },
  async run({ goalId, ...change }, context) {
    const goals = await allGoals(context)
    const found = goals.find(({ goal }) => goal.id === goalId)
    if (!found) return failed(missingGoal(goalId))
    const made = narrowed(found, change, context)
    const problem =
      reachProblem(context, goalId, goals) ?? (made.kind === 'invalid' ? made.reason : undefined)
    if (problem !== undefined || made.kind === 'invalid') return failed(problem ?? '')
    const { record: before } = found
    const label = keptLabel(context, before.label)
    const after = await context.records.replace(
      goalsCollection,
      goalId,
      before.version,
      goalData(made.data),
      label,
    )
    const held = await holdAgain(context, goals, { id: goalId, ...made.data })
    const summary = `Changed the goal “${made.data.title}”`
    return tellingOf(
      [{ label: made.data.ownLabel }],
      succeeded(
        [
          `${summary}.${held}`,
          JSON.stringify(goalSummary({ record: after, goal: { id: goalId, ...made.data } })),
        ].join('\n'),
        summary,
        {
          tool: restoringGoals,
          args: recordUndo([{ collection: goalsCollection, id: goalId, before, after }]).args,
        },
      ),
    )
  },
})

function narrowed(
  { goal }: GoalRecord,
  change: Omit<GoalChange, 'parentId'>,
  context: RecordToolContext,
): GoalMade<GoalShape> {
  const { id: _, ...before } = goal
  const made = changedGoal(before, change, context.now)
  if (made.kind === 'invalid') return made
  const data = { ...made.data, ownLabel: keptLabel(context, before.ownLabel) }
  const wider = widenedLimits(before.limits, made.data.limits, (tool) => context.catalogue.find(tool)?.group)
  if (wider.length === 0) return { ...made, data }
  const reason = `This would widen the limits of the goal (${wider.map((name) => limitWord[name]).join(', ')}). Only the operator can do that, with \`countersign goal set ${goal.id}\`. They can be made narrower here.`
  return { kind: 'invalid', reason }
}

const limitWord: Readonly<Record<keyof GoalLimits, string>> = {
  tools: 'tools',
  hosts: 'hosts',
  folders: 'folders',
  moneyPerDayUsd: 'money per day',
  tierMax: 'highest tier',
  quietHours: 'quiet hours',
}

/** Holds and releases what follows from the change, and says so. */
async function holdAgain(
  context: RecordToolContext,
  goals: readonly GoalRecord[],
  changed: GoalRecord['goal'],
): Promise<string> {
  const before = nodesOf(goals)
  const after = before.map((node) => (node.id === changed.id ? goalNode(changed) : node))
  const { hold, release } = changedHolds(before, after)
  if (hold.length > 0) await context.assistant.hold(hold, true)
  if (release.length > 0) await context.assistant.hold(release, false)
  if (hold.length > 0) return ` Work on ${counted(hold.length, 'goal', 'goals')} is held.`
  return release.length > 0 ? ` Work on ${counted(release.length, 'goal', 'goals')} goes on.` : ''
}
