import { describe, expect, test } from 'vitest'
import { type Goal, isMet } from './bench.ts'

const goal = (value: number, kind: Goal['kind'], limit: Goal['limit']): Goal => ({
  name: 'a',
  value,
  kind,
  limit,
})

describe('a goal', () => {
  test('is met at its limit and missed just beyond it', () => {
    expect(isMet(goal(0.5, 'ratio', { atLeast: 0.5 }), 'none')).toBe(true)
    expect(isMet(goal(0.499, 'ratio', { atLeast: 0.5 }), 'none')).toBe(false)
    expect(isMet(goal(40, 'time', { atMost: 40 }), 'none')).toBe(true)
    expect(isMet(goal(40.1, 'time', { atMost: 40 }), 'none')).toBe(false)
  })

  test('in a small run gives a ratio a factor of three and only tells a time', () => {
    expect(isMet(goal(0.2, 'ratio', { atLeast: 0.6 }), 'small')).toBe(true)
    expect(isMet(goal(0.19, 'ratio', { atLeast: 0.6 }), 'small')).toBe(false)
    expect(isMet(goal(4000, 'time', { atMost: 40 }), 'small')).toBe(true)
    expect(isMet(goal(1, 'time', { atLeast: 60 }), 'small')).toBe(true)
  })

  test('gives memory a half', () => {
    expect(isMet(goal(375, 'memory', { atMost: 250 }), 'small')).toBe(true)
    expect(isMet(goal(376, 'memory', { atMost: 250 }), 'small')).toBe(false)
    expect(isMet(goal(251, 'memory', { atMost: 250 }), 'none')).toBe(false)
  })

  test('gives a size no slack', () => {
    expect(isMet(goal(250, 'size', { atMost: 250 }), 'small')).toBe(true)
    expect(isMet(goal(251, 'size', { atMost: 250 }), 'small')).toBe(false)
  })

  test('is missed by a figure that could not be measured', () => {
    expect(isMet(goal(Number.NaN, 'time', { atMost: 40 }), 'small')).toBe(false)
    expect(isMet(goal(Number.POSITIVE_INFINITY, 'ratio', { atLeast: 0.5 }), 'small')).toBe(false)
  })
})
