import { describe, expect, it } from 'vitest'
import { createPermitClock } from './clock.ts'

function fakeClocks() {
  const time = { wall: 1_000_000, steady: 0 }
  const pass = (ms: number) => {
    time.wall += ms
    time.steady += ms
  }
  return { time, pass, clock: createPermitClock({ wall: () => time.wall, steady: () => time.steady }) }
}

describe('the permit clock', () => {
  it('voids nothing while both clocks agree, however long', () => {
    const { pass, clock } = fakeClocks()
    pass(7 * 24 * 3_600_000)
    expect(clock.now()).toBe(1_000_000 + 7 * 24 * 3_600_000)
    expect(clock.voidedUntil()).toBe(Number.NEGATIVE_INFINITY)
  })

  it('takes the later clock within the allowed skew', () => {
    const { time, clock } = fakeClocks()
    time.wall -= 5000
    expect(clock.now()).toBe(1_000_000)
    expect(clock.voidedUntil()).toBe(Number.NEGATIVE_INFINITY)
  })

  it('voids what was outstanding when the wall clock goes back', () => {
    const { time, pass, clock } = fakeClocks()
    pass(1000)
    time.wall -= 3_600_000
    expect(clock.now()).toBe(time.wall)
    expect(clock.voidedUntil()).toBe(1_001_000)
  })

  it('voids what was outstanding when the wall clock goes forward, and nothing decided after', () => {
    const { time, clock } = fakeClocks()
    time.wall += 5001
    expect(clock.voidedUntil()).toBe(1_000_000)
    expect(clock.now()).toBe(1_005_001)
  })

  it('notices small steps that add up', () => {
    const { time, clock } = fakeClocks()
    for (let step = 0; step < 3; step += 1) {
      time.wall -= 2000
      clock.now()
    }
    expect(clock.voidedUntil()).toBe(1_000_000)
  })
})
