import type { MemoryType } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { type MemoryStrength, recencyOf, strengthOf } from './strength.ts'

const now = new Date('2026-03-01T00:00:00.000Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const memory = (rest: Partial<MemoryStrength> = {}): MemoryStrength => ({
  type: 'fact',
  importance: 0.5,
  pinned: false,
  toldAt: daysAgo(0),
  usedAt: null,
  ...rest,
})
const keptAfter = (days: number, rest: Partial<MemoryStrength> = {}) => {
  const fading = memory({ toldAt: daysAgo(days), ...rest })
  return strengthOf(fading, now) / fading.importance
}

describe('the strength of a memory', () => {
  it('is its importance when it was just told', () => {
    expect(strengthOf(memory({ importance: 0.7 }), now)).toBeCloseTo(0.7)
  })

  it('hardly fades for facts, preferences and skills, and fades for events', () => {
    for (const type of ['fact', 'preference', 'skill'] satisfies MemoryType[])
      expect(keptAfter(365, { type })).toBeGreaterThan(0.85)
    expect(keptAfter(365, { type: 'event' })).toBeLessThan(0.4)
    expect(keptAfter(30, { type: 'event' })).toBeGreaterThan(0.8)
  })

  it('never goes up with age and never falls to nothing', () => {
    let before = 1
    for (const days of [1, 10, 100, 1_000, 10_000, 100_000]) {
      const kept = keptAfter(days, { type: 'event' })
      expect(kept).toBeLessThanOrEqual(before)
      expect(kept).toBeGreaterThanOrEqual(0.25)
      before = kept
    }
  })

  it('does not fade at all while it is pinned', () => {
    expect(keptAfter(5_000, { type: 'event', pinned: true })).toBe(1)
    expect(keptAfter(5_000, { type: 'event', pinned: false })).toBeLessThan(0.3)
  })

  it('fades more slowly once it was boosted or of use', () => {
    const plain = keptAfter(200, { type: 'event' })
    expect(keptAfter(200, { type: 'event', importance: 1 })).toBeGreaterThan(plain + 0.1)
    expect(keptAfter(200, { type: 'event', usedAt: daysAgo(5) })).toBeGreaterThan(plain + 0.3)
    expect(keptAfter(200, { type: 'event', usedAt: daysAgo(300) })).toBe(plain)
  })

  it('takes times ahead and numbers out of range as what they can only mean', () => {
    expect(strengthOf(memory({ toldAt: daysAgo(-9), importance: 7 }), now)).toBe(1)
    expect(strengthOf(memory({ importance: -1 }), now)).toBe(0)
  })
})

describe('recency', () => {
  it('is one now, half after a month, and counts the last use', () => {
    expect(recencyOf(memory(), now)).toBe(1)
    expect(recencyOf(memory({ toldAt: daysAgo(30) }), now)).toBeCloseTo(0.5)
    expect(recencyOf(memory({ toldAt: daysAgo(900), usedAt: daysAgo(30) }), now)).toBeCloseTo(0.5)
  })
})
