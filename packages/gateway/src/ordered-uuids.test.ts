import { describe, expect, it } from 'vitest'
import { orderedUuids } from './ordered-uuids.ts'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('ids that sort as they were made', () => {
  it('keeps the order of ten thousand that are made at once, each different', () => {
    const next = orderedUuids()
    const made = Array.from({ length: 10_000 }, next)
    expect(made).toEqual([...made].sort())
    expect(new Set(made).size).toBe(made.length)
    for (const one of made) expect(one).toMatch(form)
  })

  it('goes on in order when a millisecond is full and when the clock goes back', () => {
    const given = [
      '01a1ec5d-7c45-7fff-9e3c-d27084f30239',
      ...Array.from({ length: 3_000 }, () => '01a1ec5d-7c45-7000-9e3c-d27084f30239'),
      '01a1ec5d-7c44-7123-9e3c-d27084f30239',
      '01a1ec5d-7c47-7123-9e3c-d27084f30239',
    ]
    const next = orderedUuids(() => given.shift() ?? '')
    const made = Array.from({ length: given.length }, next)
    expect(made).toEqual([...made].sort())
    expect(new Set(made).size).toBe(made.length)
    expect(made.at(-2)).toMatch(/^01a1ec5d-7c46-7/)
    expect(made.at(-1)).toBe('01a1ec5d-7c47-7123-9e3c-d27084f30239')
  })
})
