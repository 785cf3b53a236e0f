import { describe, expect, it } from 'vitest'
import type { MemoryCandidate } from './candidate.ts'
import { type FoundMemory, rank } from './rank.ts'
import { between, unitVector } from './testing/made-vectors.ts'

const now = new Date('2026-03-01T00:00:00.000Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const [here, there] = [unitVector(16, 1), unitVector(16, 2)]

function found(
  id: string,
  rest: Partial<MemoryCandidate> & { likeness?: number | null; coverage?: number } = {},
): FoundMemory {
  const { likeness = 0.5, coverage = 0, ...candidate } = rest
  return {
    likeness,
    coverage,
    candidate: {
      id,
      content: id,
      type: 'fact',
      importance: 0.5,
      pinned: false,
      tags: [],
      createdAt: daysAgo(100),
      toldAt: daysAgo(100),
      usedAt: null,
      corrects: [],
      label: null,
      vector: null,
      ...candidate,
    },
  }
}

const idsOf = (all: readonly FoundMemory[], limit = 10) =>
  rank(all, limit, now).map(({ candidate }) => candidate.id)

describe('the order of what was recalled', () => {
  it('goes by meaning, and by words where they cover the query', () => {
    const all = [found('near', { likeness: 0.6 }), found('far', { likeness: 0.2 })]
    expect(idsOf(all)).toEqual(['near', 'far'])
    expect(idsOf([...all, found('named', { likeness: 0.45, coverage: 1 })])).toEqual(['named', 'near', 'far'])
    expect(idsOf([...all, found('brushed', { likeness: 0.45, coverage: 0.3 })])).toEqual([
      'near',
      'brushed',
      'far',
    ])
  })

  it('works without any vector', () => {
    const bare = { likeness: null }
    expect(idsOf([found('a', { ...bare, coverage: 0.2 }), found('b', { ...bare, coverage: 0.9 })])).toEqual([
      'b',
      'a',
    ])
  })

  it('lets importance and news decide between equals, and never against meaning', () => {
    expect(idsOf([found('dull', { importance: 0.1 }), found('vital', { importance: 0.9 })])).toEqual([
      'vital',
      'dull',
    ])
    expect(idsOf([found('old'), found('new', { toldAt: daysAgo(1) })])).toEqual(['new', 'old'])
    expect(
      idsOf([
        found('vital', { importance: 1, pinned: true, toldAt: daysAgo(0), likeness: 0.3 }),
        found('apt'),
      ]),
    ).toEqual(['apt', 'vital'])
  })

  it('tells what is repeated once, and the newer of the two in the place of the better', () => {
    const all = [
      found('first', { content: 'The wifi is called Lindesnes.', likeness: 0.8 }),
      found('middle', { likeness: 0.7 }),
      found('again', { content: 'the wifi is called Lindesnes', likeness: 0.6, toldAt: daysAgo(2) }),
    ]
    expect(idsOf(all)).toEqual(['again', 'middle'])
    const other = found('other', { content: 'The wifi is called Kap7.', likeness: 0.6 })
    expect(idsOf([...all.slice(0, 2), other])).toEqual(['first', 'middle', 'other'])
  })

  it('puts a correction above what it corrects, however well that fits', () => {
    const all = [
      found('old', { likeness: 0.9, toldAt: daysAgo(1) }),
      found('correction', { likeness: 0.2, corrects: ['old'], toldAt: daysAgo(9) }),
    ]
    expect(idsOf(all)).toEqual(['correction', 'old'])
  })

  it('puts the newer of two on the same matter first, unless both are only what happened', () => {
    const pair = (type: MemoryCandidate['type']) => [
      found('then', { type, likeness: 0.6, vector: here, toldAt: daysAgo(300) }),
      found('now', { type, likeness: 0.5, vector: between(here, there, 0.4), toldAt: daysAgo(100) }),
    ]
    expect(idsOf(pair('fact'))).toEqual(['now', 'then'])
    expect(idsOf(pair('event'))).toEqual(['then', 'now'])
    const stranger = found('now', { likeness: 0.5, vector: there, toldAt: daysAgo(100) })
    expect(idsOf([...pair('fact').slice(0, 1), stranger])).toEqual(['then', 'now'])
  })

  it('gives no more than it was asked for, and equals in the same order each time', () => {
    const all = ['c', 'a', 'b'].map((id) => found(id))
    expect(idsOf(all, 2)).toEqual(['a', 'b'])
    expect(idsOf(all.toReversed(), 2)).toEqual(['a', 'b'])
    expect(idsOf([])).toEqual([])
  })
})
