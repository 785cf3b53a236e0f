/**
 * Removes a memory for good, with what was made from it. There is no undo and no copy: whoever approves it sees the
 * words once more, and nobody after that.
 */
import { MemoryId, memoriesCollection, memoryIn } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { recordLabel } from '../records/kept-label.ts'
import { counted } from '../records/record-lines.ts'
import { failed, succeeded } from '../result.ts'
import { noSuchMemory, quoted } from './memory-lines.ts'

export const forget = defineTool({
  name: 'forget',
  version: '1',
  description: 'Remove a specific memory for good; it cannot be undone.',
  input: z.strictObject({ memoryId: MemoryId }),
  category: 'memory',
  group: 'memory',
  tags: [
    'delete',
    'remove',
    'erase',
    'unlearn',
    'do not remember',
    'wrong memory',
    'no longer true',
    'privacy',
  ],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  runs: 'gateway',
  describe: ({ memoryId }) => `Forget ${memoryId} for good`,
  preview: ({ memoryId }) => ({
    kind: 'text',
    title: 'Forget for good',
    text: `${memoryId}\nIt goes with its entries in the index, its earlier versions, and its words in summaries and logs.`,
  }),
  async effects({ memoryId }, context) {
    const found = await context.records.get(memoriesCollection, memoryId)
    if (!found) return { kind: 'invalid', reason: noSuchMemory(memoryId) }
    const { content, type } = memoryIn(found)
    return {
      kind: 'found',
      // Without its version, which every recall raises: only the operator can change the words.
      resources: [recordResource(memoriesCollection, found.id, 'delete', null)],
      effects: [recordEffect('delete', `the ${type} ${quoted(content)}, for good`, false)],
    }
  },
  async run({ memoryId }, context) {
    if (!(await context.records.get(memoriesCollection, memoryId))) return failed(noSuchMemory(memoryId))
    const traces = await context.assistant.forget([memoryId])
    const summary = `Forgot ${memoryId}`
    return succeeded(
      `${summary}, and took its words out of ${counted(traces, 'place', 'places')}. Do not bring it up again.`,
      summary,
    )
  },
})
