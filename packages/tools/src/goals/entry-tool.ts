/** Owns the two tools that write something down with a goal. What was made from untrusted content stays marked as that. */
import { GoalEntryText, goalData, withEntry } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type EffectsResult, type ToolDefinition } from '../definition.ts'
import { newId } from '../records/collection.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { keptLabel, tellingOf } from '../records/kept-label.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { changesGoal, changing, invalid, restoringGoals } from './facts.ts'
import { allGoals, findGoal, goalsCollection, missingGoal, ownGoal, reachProblem } from './goal-lookup.ts'

export interface EntryToolText {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly list: 'notes' | 'learnings'
  readonly noun: string
  /** Agents that may not, with what they should do instead. */
  readonly not?: { readonly agents: readonly string[]; readonly reason: string }
}

const noGoal =
  'Say which goal it belongs to: this conversation has none of its own. List them with list_goals.'

export function entryTool({ list, noun, not, ...told }: EntryToolText): ToolDefinition {
  return defineTool({
    ...changing,
    runs: 'gateway',
    ...told,
    input: z.strictObject({
      goalId: nameText(100).describe('Left out, the goal of this work').exactOptional(),
      text: GoalEntryText,
    }),
    describe: ({ goalId, text }) =>
      `Write a ${noun} down${goalId === undefined ? '' : ` with the goal ${goalId}`}: ${headOf(text)}`,
    preview: ({ text }) => ({ kind: 'text', title: `New ${noun}`, text }),
    async effects({ goalId }, context) {
      // Whose work it is, is known only when it runs.
      if (goalId === undefined) return changesSome(noun)
      const found = await findGoal(context, goalId)
      return found ? changesGoal(found) : invalid(missingGoal(goalId))
    },
    async run({ goalId, text }, context) {
      if (not?.agents.includes(context.cause?.agent ?? '')) return failed(not.reason)
      const id = goalId ?? ownGoal(context)
      if (!id) return failed(noGoal)
      const goals = await allGoals(context)
      const found = goals.find(({ goal }) => goal.id === id)
      const problem = found ? reachProblem(context, id, goals) : missingGoal(id)
      if (!found || problem !== undefined) return failed(problem ?? '')
      const { record: before } = found
      const { id: _, ...goal } = found.goal
      const entry = {
        id: newId('entry', context.uuid()),
        text,
        at: context.now.toISOString(),
        by: context.cause?.agent ?? 'assistant',
        label: keptLabel(context),
      }
      const label = keptLabel(context, before.label)
      const data = goalData(withEntry(goal, list, entry))
      const after = await context.records.replace(goalsCollection, id, before.version, data, label)
      const summary = `Wrote a ${noun} down with the goal “${goal.title}”`
      return tellingOf(
        [{ label: goal.ownLabel }],
        succeeded(`${summary}.\n${JSON.stringify({ id: entry.id, goalId: id })}`, summary, {
          tool: restoringGoals,
          args: recordUndo([{ collection: goalsCollection, id, before, after }]).args,
        }),
      )
    },
  })
}

function changesSome(noun: string): EffectsResult {
  return {
    kind: 'found',
    resources: [recordResource(goalsCollection, '*', 'write', null)],
    effects: [recordEffect('write', `a ${noun} of the goal of this work`)],
  }
}

function headOf(text: string): string {
  const line = text.trim().split(/[\n\r]/, 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line.trim()
}
