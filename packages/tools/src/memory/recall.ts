/** Searches the memories in use. What it tells carries what led to it, so reading taints. */
import { MemoryGoal, MemoryType, markUsed, memoriesCollection, type RecallQuery } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { listing } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { counted, lines } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'

export const recallLimit = { param: 'limit', max: 50, default: 10 } as const

export const recall = defineTool({
  name: 'recall',
  version: '2',
  description:
    'Search memory for relevant information about the operator and earlier work. Ask in natural language.',
  input: z.strictObject({
    query: z.string().min(1).max(1_000),
    type: MemoryType.exactOptional(),
    tags: z.array(z.string().min(1).max(50)).max(20).exactOptional(),
    goal: MemoryGoal.describe('Only memories of this goal, and those that hold everywhere').exactOptional(),
    limit: z.int().min(1).default(recallLimit.default),
  }),
  category: 'memory',
  group: 'memory',
  tags: [
    'remember',
    'what do you know',
    'do you remember',
    'look up',
    'search memory',
    'find memory',
    'preferences',
    'what did i say',
    'my favourite',
    'about me',
  ],
  effect: 'idempotent',
  floor: 0,
  output: recordLabel,
  listed: true,
  limit: recallLimit,
  runs: 'gateway',
  describe: ({ query }) => `Recall: ${oneLine(query)}`,
  preview: (args) => fieldsCard('Recall', args),
  effects: async () => listing(memoriesCollection, 'memories'),
  async run({ query, type, tags, goal, limit }, context) {
    const asked: RecallQuery = {
      text: query,
      limit,
      ...(type === undefined ? {} : { type }),
      ...(tags === undefined ? {} : { tags }),
      ...(goal === undefined ? {} : { goal }),
    }
    const found = await context.assistant.recall(asked)
    await markUsed(
      context.records,
      found.map(({ id }) => id),
      context.now,
    )
    const summary = `Recalled ${counted(found.length, 'memory', 'memories')}`
    if (found.length === 0)
      return succeeded('Nothing is remembered that fits. Try other words, or list_memories.', summary)
    const told = found.map(({ id, content, type: kind, importance, tags: marks, createdAt, score }) => ({
      id,
      content,
      type: kind,
      importance,
      ...(marks.length > 0 ? { tags: [...marks] } : {}),
      createdAt,
      score: Math.round(score * 1000) / 1000,
    }))
    return tellingOf(
      found,
      succeeded(`${counted(found.length, 'memory', 'memories')}:\n${lines(told)}`, summary),
    )
  },
})

function oneLine(text: string): string {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
  return words.length > 80 ? `${words.slice(0, 79).toWellFormed()}…` : words || '…'
}
