import { describe, expect, it } from 'vitest'
import { createBeginnings } from './beginnings.ts'

describe('the beginning of a program', () => {
  it('is the same for every step of a call, and another for every call', () => {
    let time = 1_000
    const beginnings = createBeginnings({ now: () => new Date((time += 1)) })
    const first = beginnings.of('call_1', true)
    expect(beginnings.of('call_1', false)).toEqual(first)
    const other = beginnings.of('call_2', true)
    expect(other.seed).not.toBe(first.seed)
    expect(beginnings.of('call_1', false)).toEqual(first)
    expect(beginnings.of('call_1', true)).not.toEqual(first)
  })

  it('is forgotten when there are too many, and then is a new one', () => {
    const beginnings = createBeginnings({ now: () => new Date() })
    const first = beginnings.of('call_0', true)
    for (let call = 1; call <= 1_000; call += 1) beginnings.of(`call_${call}`, true)
    expect(beginnings.of('call_0', false).seed).not.toBe(first.seed)
  })
})
