/** Keeps many memories at once. One that is refused leaves the others as they are. */
import { type KeepMemoryResult, keepMemory, memoriesCollection, NewMemory } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { rowsCard } from '../records/cards.ts'
import { newRecord, recordEffect, recordResource } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { counted, lines } from '../records/record-lines.ts'
import { restoring } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { lineOf, undoing } from './memory-lines.ts'
import { agentSource, keepContext, waitsWords } from './memory-trust.ts'

export const mostMemories = 50

export const batchRemember = defineTool({
  name: 'batch_remember',
  version: '1',
  description: `Store several memories at once, ${mostMemories} at most.`,
  input: z.strictObject({ memories: z.array(NewMemory).min(1).max(mostMemories) }),
  category: 'memory',
  group: 'memory',
  tags: ['store', 'many', 'bulk', 'import', 'all of these', 'each of these', 'keep in mind', 'several facts'],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  runs: 'gateway',
  discreet: true,
  undo: restoring,
  describe: ({ memories }) => `Remember ${counted(memories.length, 'thing', 'things')}`,
  preview: ({ memories }) =>
    rowsCard('New memories', ['content', 'type', 'importance', 'tags', 'goal'], memories),
  effects: async ({ memories }) => ({
    kind: 'found',
    resources: [recordResource(memoriesCollection, newRecord, 'write', null)],
    effects: [recordEffect('write', counted(memories.length, 'new memory', 'new memories'))],
  }),
  async run({ memories }, context) {
    const circumstances = keepContext(context)
    const source = agentSource(context)
    const ends: KeepMemoryResult[] = []
    for (const memory of memories)
      ends.push(await keepMemory(context.records, { ...memory, source }, circumstances))
    const kept = ends.filter((end) => end.kind !== 'refused')
    const refused = ends.flatMap((end, index) =>
      end.kind === 'refused' ? [`memories.${index}: ${end.reason}`] : [],
    )
    if (kept.length === 0) return failed(`Not remembered. ${refused.join(' ')}`)
    const added = kept.filter((end) => end.kind === 'kept')
    const waiting = added.filter(({ status }) => status === 'suggested').length
    const summary = summaryOf(added.length - waiting, waiting, kept.length - added.length, refused.length)
    const text = [
      `${summary}.`,
      ...(waiting > 0 ? [waitsWords] : []),
      ...refused,
      lines(kept.map(({ record }) => lineOf(record))),
    ].join('\n')
    const changes = kept.flatMap((end) => (end.kind === 'known' ? [] : end.changes))
    const records = kept.map(({ record }) => record)
    return tellingOf(records, succeeded(text, summary, changes.length > 0 ? undoing(changes) : undefined))
  },
})

function summaryOf(active: number, waiting: number, known: number, refused: number): string {
  const parts = [
    ...(active > 0 ? [`remembered ${active}`] : []),
    ...(waiting > 0 ? [`suggested ${waiting}`] : []),
    ...(known > 0 ? [`knew ${known} already`] : []),
    ...(refused > 0 ? [`refused ${refused}`] : []),
  ].join(', ')
  return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}`
}
