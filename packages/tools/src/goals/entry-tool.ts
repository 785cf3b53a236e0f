/** Owns the two tools that write something down with a goal. What was made from untrusted content stays marked as that. */
import {
  type Goal,
  GoalEntryText,
  goalData,
  type Preview,
  type ToolResult,
  withChangedEntry,
  withEntry,
} from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type EffectsResult, type ToolDefinition } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
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
  /** Work without a goal writes it down for its agent. */
  readonly own?: OwnEntries
  /** Agents that may not, with what they should do instead. */
  readonly not?: { readonly agents: readonly string[]; readonly reason: string }
}

/** What an agent writes down for itself. */
export interface OwnEntries {
  readonly collection: string
  write(
    given: { readonly entryId: string | undefined; readonly text: string | null },
    context: RecordToolContext,
  ): Promise<ToolResult>
}

const noGoal =
  'Say which goal it belongs to: this conversation has none of its own. List them with list_goals.'

export function entryTool({ list, noun, not, own, ...told }: EntryToolText): ToolDefinition {
  return defineTool({
    ...changing,
    version: '3',
    runs: 'gateway',
    ...told,
    input: inputOf(noun, own),
    describe: (args) => headlineOf(noun, args),
    preview: (args) => previewOf(noun, args),
    async effects({ goalId }, context) {
      // Whose work it is, is known only when it runs.
      if (goalId === undefined) return changesSome(noun, own)
      const found = await findGoal(context, goalId)
      return found ? changesGoal(found) : invalid(missingGoal(goalId))
    },
    async run({ goalId, entryId, text }, context) {
      if (not?.agents.includes(context.cause?.agent ?? '')) return failed(not.reason)
      const id = goalId ?? ownGoal(context)
      if (id === null && own) return own.write({ entryId, text }, context)
      if (!id) return failed(noGoal)
      const goals = await allGoals(context)
      const found = goals.find(({ goal }) => goal.id === id)
      const problem = found ? reachProblem(context, id, goals) : missingGoal(id)
      if (!found || problem !== undefined) return failed(problem ?? '')
      const { record: before } = found
      const { id: _, ...goal } = found.goal
      const label = keptLabel(context, before.label)
      const changed = written(goal, { list, entryId, text }, context)
      if (!changed) return failed(`There is no ${noun} ${entryId} in this goal. See get_goal_details.`)
      const after = await context.records.replace(
        goalsCollection,
        id,
        before.version,
        goalData(changed.goal),
        label,
      )
      const summary = `${changed.verb(noun)} the goal “${goal.title}”`
      return tellingOf(
        [{ label: goal.ownLabel }],
        succeeded(`${summary}.\n${JSON.stringify({ id: changed.entry, goalId: id })}`, summary, {
          tool: restoringGoals,
          args: recordUndo([{ collection: goalsCollection, id, before, after }]).args,
        }),
      )
    },
  })
}

function inputOf(noun: string, own: OwnEntries | undefined) {
  return z
    .strictObject({
      goalId: nameText(100)
        .describe(
          own
            ? 'Left out, the goal of this work, or you where it has none'
            : 'Left out, the goal of this work',
        )
        .exactOptional(),
      entryId: nameText(100).describe(`Id of a ${noun} to change`).exactOptional(),
      text: GoalEntryText.nullable().describe('null removes the one that entryId names'),
    })
    .refine(
      ({ entryId, text }) => text !== null || entryId !== undefined,
      'Say with entryId which to remove.',
    )
}

interface EntryArguments {
  readonly goalId?: string | undefined
  readonly entryId?: string | undefined
  readonly text: string | null
}

function headlineOf(noun: string, { goalId, entryId, text }: EntryArguments): string {
  const where = goalId === undefined ? '' : ` with the goal ${goalId}`
  if (text === null) return `Remove the ${noun} ${entryId}${where}`
  return `${entryId === undefined ? `Write a ${noun} down` : `Change the ${noun} ${entryId}`}${where}: ${headOf(text)}`
}

function previewOf(noun: string, { entryId, text }: EntryArguments): Preview {
  if (text === null) return { kind: 'text', title: `Remove ${noun}`, text: entryId ?? '' }
  return { kind: 'text', title: entryId === undefined ? `New ${noun}` : `Change ${noun}`, text }
}

/** Undefined where there is none to change. What is put in the place of another is worth what both are. */
function written(
  goal: Goal,
  given: {
    readonly list: 'notes' | 'learnings'
    readonly entryId: string | undefined
    readonly text: string | null
  },
  context: RecordToolContext,
) {
  const { list, entryId, text } = given
  if (entryId === undefined) {
    const entry = {
      id: newId('entry', context.uuid()),
      text: text ?? '',
      at: context.now.toISOString(),
      by: context.cause?.agent ?? 'assistant',
      label: keptLabel(context),
    }
    return {
      goal: withEntry(goal, list, entry),
      entry: entry.id,
      verb: (noun: string) => `Wrote a ${noun} down with`,
    }
  }
  const before = goal[list].find(({ id }) => id === entryId)
  const change = text === null ? null : { text, label: keptLabel(context, before?.label ?? null) }
  const changed = withChangedEntry(goal, list, entryId, change)
  return (
    changed && {
      goal: changed,
      entry: entryId,
      verb: (noun: string) => (text === null ? `Removed a ${noun} of` : `Changed a ${noun} of`),
    }
  )
}

function changesSome(noun: string, own: OwnEntries | undefined): EffectsResult {
  const collections = [goalsCollection, ...(own ? [own.collection] : [])]
  return {
    kind: 'found',
    resources: collections.map((each) => recordResource(each, '*', 'write', null)),
    effects: [recordEffect('write', `a ${noun} of the goal of this work${own ? ', or of its agent' : ''}`)],
  }
}

function headOf(text: string): string {
  const line = text.trim().split(/[\n\r]/, 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line.trim()
}
