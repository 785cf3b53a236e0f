import {
  equalsOf,
  holdsWords,
  keepMemory,
  Memory,
  markUsed,
  memoriesCollection,
  memoryIn,
  operatorLabel,
  wordsKey,
} from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { createMemoryRecords } from '../testing/records.ts'

describe('the same words', () => {
  it('are equal whatever their case, spacing and marks around them', () => {
    const key = wordsKey('Likes green tea')
    for (const text of ['likes  GREEN\ntea.', '“Likes green tea”!', '- Likes green tea', 'Likes green tea…'])
      expect(wordsKey(text), text).toBe(key)
    expect(wordsKey('Größe ﬁne')).toBe(wordsKey('GRÖßE fine'))
  })

  it('are other words where a mark, a sign or the order makes a difference', () => {
    for (const [one, other] of [
      ['3.5 percent', '35 percent'],
      ['C++ expert', 'C expert'],
      ['owes $5', 'owes 5'],
      ['tea not coffee', 'coffee not tea'],
      ['re-sign', 'resign'],
    ] as const)
      expect(wordsKey(one)).not.toBe(wordsKey(other))
  })

  it('stand in a text as whole words one after the other', () => {
    expect(holdsWords('About my salary, again.', 'My Salary')).toBe(true)
    expect(holdsWords('About my mysalary', 'my salary')).toBe(false)
    expect(holdsWords('my big salary', 'my salary')).toBe(false)
    expect(holdsWords('anything', ' ! ')).toBe(false)
  })
})

describe('keeping', () => {
  const uuid = () => crypto.randomUUID()
  const draft = { content: 'Likes tea', type: 'fact', source: { kind: 'said' } } as const
  const own = { uuid, label: null, status: 'active' } as const

  it('looks among a few that are near, however long the words are', async () => {
    const records = createMemoryRecords()
    const content = Array.from({ length: 300 }, (_, location) => `w${location}`).join(' ')
    const kept = await keepMemory(records, { ...draft, content }, own)
    expect(await equalsOf(records, content.toUpperCase(), null)).toHaveLength(kept.kind === 'kept' ? 1 : 0)
    expect(await equalsOf(records, `${content} more`, null)).toEqual([])
  })

  it('lets the operator add again what they rejected, and an agent only suggest it', async () => {
    const records = createMemoryRecords()
    const rejected = Memory.parse({ ...draft, status: 'rejected' })
    await records.insert(memoriesCollection, 'mem_1', { ...rejected }, null)
    expect(await keepMemory(records, draft, own)).toMatchObject({ kind: 'kept', status: 'suggested' })
    expect(await keepMemory(records, draft, { ...own, byOperator: true })).toMatchObject({ status: 'active' })
  })

  it('counts a use once for each memory, and passes over what is gone', async () => {
    const records = createMemoryRecords()
    const kept = await keepMemory(records, draft, own)
    const id = kept.kind === 'kept' ? kept.record.id : ''
    await markUsed(records, [id, id, 'mem_gone'], new Date('2026-03-02T00:00:00Z'))
    const record = await records.get(memoriesCollection, id)
    expect(record && memoryIn(record)).toMatchObject({ uses: 1, lastUsedAt: '2026-03-02T00:00:00.000Z' })
  })

  it('does not fail where somebody else changes the memory at the same moment', async () => {
    const records = createMemoryRecords()
    const kept = await keepMemory(records, draft, own)
    const id = kept.kind === 'kept' ? kept.record.id : ''
    const racing = {
      ...records,
      async get(collection: string, asked: string) {
        const seen = await records.get(collection, asked)
        if (seen) await records.replace(collection, asked, seen.version, seen.data, operatorLabel)
        return seen
      },
    }
    await markUsed(racing, [id], new Date())
    const record = await records.get(memoriesCollection, id)
    expect(record && memoryIn(record).uses).toBe(0)
    const broken = { ...records, replace: () => Promise.reject(new Error('no disk')) }
    await expect(markUsed(broken, [id], new Date())).rejects.toThrow('no disk')
  })
})
