/**
 * Owns what an agent writes down for all its later work. What is told stands in every prompt of the agent, so a learning
 * of a run that had read anything private or of strangers waits until the operator has accepted it.
 */
import {
  agentLearningsCollection,
  changedEntries,
  entriesWith,
  type GoalEntry,
  isTold,
  joinLabels,
  keepLearnings,
  type Label,
  learningsOf,
} from '@countersign/contract'
import type { RecordToolContext } from '../record-tool-context.ts'
import { newId } from '../records/collection.ts'
import { wholeLabel } from '../records/kept-label.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import type { OwnEntries } from './entry-tool.ts'
import { restoringGoals } from './facts.ts'

/** They work for somebody else, on what they were told, and each time anew. */
const without: readonly string[] = ['task', 'plan', 'feed', 'goal', 'reception']

export const ownLearnings: OwnEntries = {
  collection: agentLearningsCollection,
  async write({ entryId, text }, context) {
    const agent = context.cause?.agent
    if (agent === undefined || without.includes(agent))
      return failed('Say with goalId for which goal: this work keeps no learnings of its own.')
    const { record, learnings } = await learningsOf(context.records, agent)
    const changed = written(learnings, { agent, entryId, text }, context)
    if (!changed) return failed(`You have no learning ${entryId}.`)
    const { left, id, verb } = changed
    const label = joined(left)
    const after = await keepLearnings(context.records, agent, record, { learnings: left, label })
    const entry = left.find((each) => each.id === id)
    const waits = entry !== undefined && !isTold(entry)
    const summary = `${verb} a learning of ${agent}`
    const note = waits
      ? ' This work has read more than the words of the operator, so you are told it once the operator has accepted it.'
      : ''
    return succeeded(`${summary}.${note}\n${JSON.stringify({ id })}`, summary, {
      tool: restoringGoals,
      args: recordUndo([{ collection: agentLearningsCollection, id: agent, before: record ?? null, after }])
        .args,
    })
  },
}

function written(
  learnings: readonly GoalEntry[],
  { agent, entryId, text }: { agent: string; entryId: string | undefined; text: string | null },
  context: RecordToolContext,
): { left: readonly GoalEntry[]; id: string; verb: string } | undefined {
  if (entryId === undefined) {
    const id = newId('entry', context.uuid())
    const at = context.now.toISOString()
    const entry: GoalEntry = { id, text: text ?? '', at, by: agent, label: wholeLabel(context) }
    return { left: entriesWith(learnings, entry), id, verb: 'Wrote down' }
  }
  const before = learnings.find(({ id }) => id === entryId)?.label ?? null
  const change = text === null ? null : { text, by: agent, label: wholeLabel(context, before) }
  const left = changedEntries(learnings, entryId, change)
  return left && { left, id: entryId, verb: text === null ? 'Removed' : 'Changed' }
}

function joined(entries: readonly GoalEntry[]): Label | null {
  return entries.reduce<Label | null>(
    (label, entry) => (label && entry.label ? joinLabels(label, entry.label) : (label ?? entry.label)),
    null,
  )
}
