import { describe, expect, test } from 'vitest'
import { readLastVisit, writeLastVisit } from './last-visit.ts'

describe('what this browser remembers of Today', () => {
  test('the last look and what was put aside come back, for this gateway alone', () => {
    const keep = createKeep()
    writeLastVisit(keep, 'gw_1', { lastVisitAt: '2026-11-15T10:00:00.000Z', archived: ['a'] })
    expect(readLastVisit(keep, 'gw_1')).toEqual({ lastVisitAt: '2026-11-15T10:00:00.000Z', archived: ['a'] })
    expect(readLastVisit(keep, 'gw_2')).toEqual({ lastVisitAt: null, archived: [] })
  })

  test('nonsense is read as nothing', () => {
    for (const text of ['{', 'null', '[]', '{"looked":"soon","archived":[1]}'])
      expect(readLastVisit(createKeep(text), 'gw_1')).toEqual({ lastVisitAt: null, archived: [] })
  })

  test('what was put aside long ago is forgotten first', () => {
    const keep = createKeep()
    writeLastVisit(keep, 'gw_1', {
      lastVisitAt: null,
      archived: Array.from({ length: 501 }, (_, place) => String(place)),
    })
    const { archived } = readLastVisit(keep, 'gw_1')
    expect(archived).toHaveLength(500)
    expect(archived[0]).toBe('1')
  })
})

function createKeep(always?: string) {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => always ?? kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}
