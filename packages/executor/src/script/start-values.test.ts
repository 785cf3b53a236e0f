import { describe, expect, it } from 'vitest'
import { createBeginnings } from './start-values.ts'

describe('the beginning of a program', () => {
  it('is the same for every step of a call, and another for every call', () => {
    let time = 1_000
    const startValues = createBeginnings({ now: () => new Date((time += 1)) })
    const first = startValues.of('call_1', true)
    expect(startValues.of('call_1', false)).toEqual(first)
    const other = startValues.of('call_2', true)
    expect(other.seed).not.toBe(first.seed)
    expect(startValues.of('call_1', false)).toEqual(first)
    expect(startValues.of('call_1', true)).not.toEqual(first)
  })

  it('is forgotten when there are too many, and then is a new one', () => {
    const startValues = createBeginnings({ now: () => new Date() })
    const first = startValues.of('call_0', true)
    for (let call = 1; call <= 1_000; call += 1) startValues.of(`call_${call}`, true)
    expect(startValues.of('call_0', false).seed).not.toBe(first.seed)
  })
})
