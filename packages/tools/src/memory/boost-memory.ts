/** Makes a memory more important. Refuses where content from outside led to the call. */
import { atMostOne, MemoryId, memoriesCollection, memoryData, memoryIn } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { lines } from '../records/record-lines.ts'
import { restoring } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { lineOf, noMemory, undoing } from './memory-lines.ts'
import { doubtfulLabel } from './memory-trust.ts'

export const boostMemory = defineTool({
  name: 'boost_memory',
  version: '1',
  description: 'Increase a memory’s importance, so that it is recalled sooner and fades later.',
  input: z.strictObject({
    memoryId: MemoryId,
    amount: z.number().min(0.01).max(1).default(0.1).describe('How much to add; importance ends at 1'),
  }),
  category: 'memory',
  group: 'memory',
  tags: ['importance', 'raise', 'priority', 'strengthen', 'reinforce', 'matters more', 'very important'],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  runs: 'gateway',
  undo: restoring,
  describe: ({ memoryId, amount }) => `Make ${memoryId} more important by ${amount}`,
  preview: (args) => fieldsCard('More important', args),
  async effects({ memoryId }, context) {
    const found = await context.records.get(memoriesCollection, memoryId)
    if (!found || memoryIn(found).status !== 'active') return { kind: 'invalid', reason: noMemory(memoryId) }
    return {
      kind: 'found',
      // Without its version, which every recall raises.
      resources: [recordResource(memoriesCollection, found.id, 'write', null)],
      effects: [recordEffect('write', `the importance of ${found.id}`)],
    }
  },
  async run({ memoryId, amount }, context) {
    const before = await context.records.get(memoriesCollection, memoryId)
    if (!before || memoryIn(before).status !== 'active') return failed(noMemory(memoryId))
    if (doubtfulLabel(context))
      return failed(
        'Content from outside led to this call, and it may not say what matters to the operator. They can do it with `countersign memory edit`.',
      )
    const memory = memoryIn(before)
    const importance = atMostOne(memory.importance + amount)
    const after = await context.records.replace(
      memoriesCollection,
      memoryId,
      before.version,
      memoryData({ ...memory, importance }),
      before.label,
    )
    const summary = `${memoryId} now has importance ${importance}`
    return tellingOf(
      [after],
      succeeded(`${summary}.\n${lines([lineOf(after)])}`, summary, undoing([{ before, after }])),
    )
  },
})
