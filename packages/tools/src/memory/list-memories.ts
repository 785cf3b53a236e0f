/** Lists memories in use, the latest first. What waits for review is only counted. */
import { MemoryType, memoriesCollection, type RecordQuery } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { listing } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { listLimit } from '../records/list.ts'
import { counted, lines } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'
import { lineOf } from './memory-lines.ts'

export const listMemories = defineTool({
  name: 'list_memories',
  version: '1',
  description: 'List recent memories, the latest first.',
  input: z.strictObject({
    type: MemoryType.exactOptional(),
    tag: z.string().min(1).max(50).exactOptional(),
    limit: z.int().min(1).default(listLimit.default),
  }),
  category: 'memory',
  group: 'memory',
  tags: [
    'show',
    'remembered',
    'what do you know',
    'everything you know',
    'recent',
    'all memories',
    'about me',
  ],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  limit: listLimit,
  runs: 'gateway',
  describe: ({ type, tag }) =>
    [
      'List memories',
      ...(type === undefined ? [] : [`of type ${type}`]),
      ...(tag === undefined ? [] : [`about ${tag}`]),
    ].join(' '),
  preview: (args) => fieldsCard('List memories', args),
  effects: async () => listing(memoriesCollection, 'memories'),
  async run({ type, tag, limit }, context) {
    const asked: RecordQuery = {
      where: { status: 'active', ...(type === undefined ? {} : { type }) },
      ...(tag === undefined ? {} : { holds: { field: 'tags', value: tag } }),
      limit,
    }
    const { records, total } = await context.records.list(memoriesCollection, asked)
    const waiting = (
      await context.records.list(memoriesCollection, { where: { status: 'suggested' }, limit: 1 })
    ).total
    const text = [
      total === 0 ? 'No memories found.' : `${records.length} of ${total} memories:`,
      ...(records.length === 0 ? [] : [lines(records.map(lineOf))]),
      ...(waiting === 0
        ? []
        : [`${counted(waiting, 'suggestion waits', 'suggestions wait')} for the operator’s review.`]),
    ].join('\n')
    return tellingOf(records, succeeded(text, `Found ${counted(total, 'memory', 'memories')}`))
  },
})
