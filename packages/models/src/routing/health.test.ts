import type { SpentCall } from '@countersign/agent'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallRecord, createHealth, type Health } from './health.ts'

const MINUTE = 60_000
const passing = ['timeout', 'network', 'unavailable', 'rate_limited', 'truncated'] as const
const harmless = ['key', 'invalid', 'cancelled', 'unknown', 'budget'] as const

test('leaves a provider alone after three failures in a row, not after two', () => {
  const { health, call } = steered()
  call('timeout')
  call('network')
  expect(health.view('a').breaker).toBe('closed')
  call('unavailable')
  expect(health.view('a')).toMatchObject({ breaker: 'open', failures: 3, calls: 3 })
  expect(health.admit('a')).toEqual({ kind: 'resting', waitMs: 30_000 })
  expect(health.admit('b').kind).toBe('admitted')
})

test('leaves a provider alone after five failures among its last ten calls, not after four', () => {
  const { health, call } = steered()
  for (let round = 0; round < 4; round += 1) {
    call('timeout')
    call('delivered')
  }
  expect(health.view('a').breaker).toBe('closed')
  call('timeout')
  expect(health.view('a').breaker).toBe('open')
})

test('does not count failures that are older than ten calls or a quarter of an hour', () => {
  const { health, time, call } = steered()
  for (let round = 0; round < 4; round += 1) {
    call('timeout')
    call('delivered')
    call('delivered')
  }
  call('timeout')
  expect(health.view('a').breaker).toBe('closed')
  call('timeout')
  time.ms += 15 * MINUTE
  call('timeout')
  expect(health.view('a')).toMatchObject({ breaker: 'closed', calls: 1, failures: 1 })
})

test.each(passing)('opens for %s three times in a row, not for two', (outcome) => {
  const { health, call } = steered()
  call(outcome)
  call(outcome)
  expect(health.view('a').breaker).toBe('closed')
  call(outcome)
  expect(health.view('a').breaker).toBe('open')
})

test.each(harmless)('never opens for %s', (outcome) => {
  const { health, call } = steered()
  for (let round = 0; round < 20; round += 1) call(outcome)
  expect(health.view('a').breaker).toBe('closed')
})

test('counts a stop as a call and not as a failure', () => {
  const { health, call } = steered()
  call('cancelled')
  call('key')
  expect(health.view('a')).toMatchObject({ calls: 2, failures: 1 })
})

test('lets one call through after the rest, and closes when it delivers', () => {
  const { health, time, call } = steered()
  for (let round = 0; round < 3; round += 1) call('timeout')
  time.ms += 29_999
  expect(health.admit('a')).toEqual({ kind: 'resting', waitMs: 1 })
  time.ms += 1
  expect(health.view('a')).toMatchObject({ breaker: 'half-open', opensAgainAt: null })
  const probe = admitted(health)
  expect(health.admit('a').kind).toBe('resting')
  probe.leave(recordOf('delivered', time.ms))
  expect(health.view('a').breaker).toBe('closed')
  call('timeout')
  call('timeout')
  expect(health.view('a').breaker).toBe('closed')
})

test('doubles the rest with each failed probe, up to five minutes', () => {
  const { health, time, call } = steered()
  for (let round = 0; round < 3; round += 1) call('timeout')
  const rests: number[] = []
  for (let round = 0; round < 6; round += 1) {
    const rest = health.admit('a')
    if (rest.kind !== 'resting') throw new Error('It should rest.')
    rests.push(rest.waitMs / 1000)
    time.ms += rest.waitMs
    admitted(health).leave(recordOf('network', time.ms))
  }
  expect(rests).toEqual([30, 60, 120, 240, 300, 300])
})

test.each(harmless)('lets the next call probe when a probe ended with %s', (outcome) => {
  const { health, time, call } = steered()
  for (let round = 0; round < 3; round += 1) call('timeout')
  time.ms += 30_000
  admitted(health).leave(recordOf(outcome, time.ms))
  expect(health.view('a').breaker).toBe('half-open')
  const probe = admitted(health)
  probe.leave()
  probe.leave(recordOf('timeout', time.ms))
  expect(health.view('a').breaker).toBe('half-open')
  expect(health.admit('a').kind).toBe('admitted')
})

test('does not let a call from before the rest decide, or free the place of the probe', () => {
  const { health, time, call } = steered()
  const early = [admitted(health), admitted(health), admitted(health)]
  for (let round = 0; round < 3; round += 1) call('timeout')
  time.ms += 30_000
  const probe = admitted(health)
  early[0]?.leave(recordOf('cancelled', time.ms))
  early[1]?.leave(recordOf('timeout', time.ms))
  expect(health.view('a').breaker).toBe('half-open')
  early[2]?.leave(recordOf('delivered', time.ms))
  expect(health.admit('a').kind).toBe('resting')
  probe.leave(recordOf('delivered', time.ms))
  expect(health.view('a').breaker).toBe('closed')
})

test('does not wait for ever for a probe that nobody ended', () => {
  const { health, time, call } = steered()
  for (let round = 0; round < 3; round += 1) call('timeout')
  time.ms += 30_000
  admitted(health)
  time.ms += 5 * MINUTE - 1
  expect(health.admit('a').kind).toBe('resting')
  time.ms += 1
  expect(health.admit('a').kind).toBe('admitted')
})

test('rests at once for as long as a provider asks, and at most five minutes', () => {
  const { health, time } = steered()
  health.record({ ...recordOf('rate_limited', time.ms), retryAfterMs: 7_000 })
  expect(health.admit('a')).toEqual({ kind: 'resting', waitMs: 7_000 })
  health.record({ ...recordOf('rate_limited', time.ms), provider: 'b', retryAfterMs: 60 * MINUTE })
  expect(health.admit('b')).toEqual({ kind: 'resting', waitMs: 5 * MINUTE })
  health.record({ ...recordOf('unavailable', time.ms), provider: 'c', retryAfterMs: 7_000 })
  expect(health.admit('c').kind).toBe('admitted')
})

test('is not held up by a clock that is set back', () => {
  const { health, time, call } = steered()
  for (let round = 0; round < 3; round += 1) call('timeout')
  time.ms -= 60 * MINUTE
  expect(health.admit('a').kind).toBe('admitted')
})

test('tells the median until the first token, for a provider and for a model', () => {
  const { health, time } = steered()
  for (const [model, firstTokenMs] of [
    ['x', 100],
    ['x', 300],
    ['x', 900],
    ['y', 2_000],
    ['y', null],
  ] as const)
    health.record({ ...recordOf('delivered', time.ms), model, firstTokenMs })
  expect(health.latency('a/x')).toEqual({ calls: 3, failures: 0, medianMs: 300 })
  expect(health.latency('a/y')).toEqual({ calls: 2, failures: 0, medianMs: 2_000 })
  expect(health.latency('a/z')).toEqual({ calls: 0, failures: 0, medianMs: null })
  expect(health.view('a').medianMs).toBe(300)
})

test('takes up the records of before, and only those of the last quarter of an hour', () => {
  const { health, time } = steered()
  const before = (minutes: number) => recordOf('timeout', time.ms - minutes * MINUTE)
  health.seed([before(0.1), before(0.3), before(0.2), before(16), { ...before(20), provider: 'b' }])
  expect(health.view('a')).toMatchObject({ calls: 3, breaker: 'open' })
  expect(health.view('b').calls).toBe(0)
})

test('finds a provider well again in the records of before', () => {
  const { health, time } = steered()
  const before = (outcome: SpentCall['outcome'], minutes: number) =>
    recordOf(outcome, time.ms - minutes * MINUTE)
  const down = [before('timeout', 10), before('timeout', 9.9), before('timeout', 9.8)]
  health.seed([...down, before('delivered', 5)])
  expect(health.view('a').breaker).toBe('closed')
})

test('keeps at most five hundred records of a provider, and forgets a silent one', () => {
  const { health, time, call } = steered()
  for (let round = 0; round < 600; round += 1) call('delivered')
  expect(health.view('a').calls).toBe(500)
  time.ms += 15 * MINUTE
  expect(health.view('a')).toMatchObject({ calls: 0, breaker: 'closed' })
})

test('forgets what a provider did before it was changed', () => {
  const { health, call } = steered()
  for (let round = 0; round < 3; round += 1) call('timeout')
  health.forget('a')
  expect(health.view('a')).toMatchObject({ calls: 0, breaker: 'closed' })
})

test('calls a provider that always fails about as often as the logarithm of the time, then every five minutes', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          pauseMs: fc.integer({ min: 1, max: 10_000 }),
          outcome: fc.constantFrom(...passing),
          retryAfterMs: fc.option(fc.integer({ min: 0, max: 600_000 }), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      fc.integer({ min: 1, max: 60 }),
      (tries, repeats) => {
        const { health, time } = steered()
        const start = time.ms
        let calls = 0
        for (let round = 0; round < repeats; round += 1) {
          for (const { pauseMs, outcome, retryAfterMs } of tries) {
            time.ms += pauseMs
            const admission = health.admit('a')
            if (admission.kind === 'resting') continue
            calls += 1
            const record = recordOf(outcome, time.ms)
            admission.leave(retryAfterMs === undefined ? record : { ...record, retryAfterMs })
          }
        }
        const seconds = (time.ms - start) / 1000
        expect(calls).toBeLessThanOrEqual(4 + Math.ceil(Math.log2(seconds / 30 + 1)) + seconds / 300)
      },
    ),
    { numRuns: 200 },
  )
})

test('uses a provider that recovered again within one rest', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_600_000 }),
      fc.integer({ min: 200, max: 20_000 }),
      fc.constantFrom(...passing),
      (downMs, pauseMs, outcome) => {
        const { health, time } = steered()
        const wellAt = time.ms + downMs
        let restMs = 0
        for (;;) {
          const admission = health.admit('a')
          const isWell = time.ms >= wellAt
          if (admission.kind === 'admitted') {
            admission.leave(recordOf(isWell ? 'delivered' : outcome, time.ms))
            if (isWell) break
          } else restMs = Math.max(restMs, admission.waitMs)
          time.ms += pauseMs
        }
        expect(health.view('a').breaker).toBe('closed')
        expect(time.ms - wellAt).toBeLessThanOrEqual(Math.min(restMs + 2 * pauseMs, 300_000 + pauseMs))
      },
    ),
    { numRuns: 100 },
  )
})

function steered() {
  const time = { ms: Date.UTC(2026, 0, 1) }
  const health = createHealth({ clock: () => time.ms })
  const call = (outcome: SpentCall['outcome']) => health.record(recordOf(outcome, time.ms))
  return { health, time, call }
}

function admitted(health: Health) {
  const admission = health.admit('a')
  if (admission.kind !== 'admitted') throw new Error('It should be admitted.')
  return admission
}

function recordOf(outcome: SpentCall['outcome'], at: number): CallRecord {
  return { provider: 'a', model: 'x', at, outcome, firstTokenMs: outcome === 'delivered' ? 100 : null }
}
