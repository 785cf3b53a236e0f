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

  test('in a small run gives a ratio a factor of two and a time a factor of four', () => {
    expect(isMet(goal(0.25, 'ratio', { atLeast: 0.5 }), 'small')).toBe(true)
    expect(isMet(goal(0.249, 'ratio', { atLeast: 0.5 }), 'small')).toBe(false)
    expect(isMet(goal(160, 'time', { atMost: 40 }), 'small')).toBe(true)
    expect(isMet(goal(161, 'time', { atMost: 40 }), 'small')).toBe(false)
    expect(isMet(goal(15, 'time', { atLeast: 60 }), 'small')).toBe(true)
    expect(isMet(goal(14.9, 'time', { atLeast: 60 }), 'small')).toBe(false)
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
