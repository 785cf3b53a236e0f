/** Keeps one memory. The headline and the summary leave its words out, since they are written where nothing is removed. */
import {
  type KeepMemoryResult,
  keepMemory,
  MemoryId,
  memoriesCollection,
  memoryIn,
  NewMemory,
} from '@countersign/contract'
import type { z } from 'zod'
import { defineTool, type EffectsResult } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { newRecord, recordEffect, recordResource } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { lines } from '../records/record-lines.ts'
import { restoring } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { lineOf, noMemory, undoing } from './memory-lines.ts'
import { agentSource, keepContext, waitsWords } from './memory-trust.ts'

const Remembered = NewMemory.extend({
  replaces: MemoryId.describe('Id of a memory that this one corrects').exactOptional(),
})

export const remember = defineTool<z.infer<typeof Remembered>>({
  name: 'remember',
  version: '1',
  description:
    'Store information in persistent memory: a fact, a preference, an event or a skill that later conversations need.',
  input: Remembered,
  category: 'memory',
  group: 'memory',
  tags: [
    'store',
    'keep in mind',
    'note that',
    'learn',
    'save for later',
    'from now on',
    'always',
    'i prefer',
    'my name is',
    'about me',
    'persistent',
    'long-term',
  ],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  runs: 'gateway',
  discreet: true,
  undo: restoring,
  describe: ({ type, replaces }) =>
    replaces === undefined
      ? `Remember ${article(type)}`
      : `Remember ${article(type)} in place of ${replaces}`,
  preview: (args) => fieldsCard('New memory', args),
  async effects({ replaces }, context): Promise<EffectsResult> {
    const added = {
      resources: [recordResource(memoriesCollection, newRecord, 'write', null)],
      effects: [recordEffect('write', 'a new memory')],
    }
    if (replaces === undefined) return { kind: 'found', ...added }
    const old = await context.records.get(memoriesCollection, replaces)
    if (!old || memoryIn(old).status !== 'active') return { kind: 'invalid', reason: noMemory(replaces) }
    return {
      kind: 'found',
      // Without its version, which every recall raises: only the operator can change the words.
      resources: [...added.resources, recordResource(memoriesCollection, old.id, 'write', null)],
      effects: [...added.effects, recordEffect('write', `the memory ${old.id}, which is replaced`)],
    }
  },
  async run(args, context) {
    const kept = await keepMemory(
      context.records,
      { ...args, source: agentSource(context) },
      keepContext(context),
    )
    if (kept.kind === 'refused') return failed(`Not remembered. ${kept.reason}`)
    const words = keptWords(kept)
    const text = `${words}\n${lines([lineOf(kept.record)])}`
    const undo = kept.kind === 'known' ? undefined : undoing(kept.changes)
    return tellingOf([kept.record], succeeded(text, words, undo))
  },
})

export function keptWords(kept: Exclude<KeepMemoryResult, { kind: 'refused' }>): string {
  const { id } = kept.record
  switch (kept.kind) {
    case 'kept':
      return kept.status === 'active' ? `Remembered as ${id}.` : `Suggested as ${id}. ${waitsWords}`
    case 'raised':
      return `${id} says the same already; it is more important now.`
    case 'known':
      return memoryIn(kept.record).status === 'suggested'
        ? `${id} says the same already. ${waitsWords}`
        : `${id} says the same already.`
  }
}

function article(type: string): string {
  return type === 'event' ? 'an event' : `a ${type}`
}
