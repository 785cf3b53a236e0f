/** Tells how much is remembered, and of what kind. No words of a memory are in it. */
import { memoriesCollection, memoryFigures } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { listing } from '../records/effects.ts'
import { recordLabel } from '../records/kept-label.ts'
import { counted } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'

export const memoryStats = defineTool({
  name: 'memory_stats',
  version: '1',
  description: 'Get memory statistics: how many memories there are, by status and type.',
  input: z.strictObject({}),
  category: 'memory',
  group: 'memory',
  tags: ['count', 'how many', 'statistics', 'overview', 'figures', 'how much do you remember'],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  runs: 'gateway',
  describe: () => 'Count memories',
  preview: () => ({ kind: 'text', title: 'Count memories', text: 'All of them, by status and type.' }),
  effects: async () => listing(memoriesCollection, 'memories'),
  async run(_args, context) {
    const figures = await memoryFigures(context.records)
    return succeeded(JSON.stringify(figures), `There are ${counted(figures.total, 'memory', 'memories')}`)
  },
})
