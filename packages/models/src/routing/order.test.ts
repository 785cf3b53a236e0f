import { expect, test } from 'vitest'
import type { Candidate } from './candidate.ts'
import type { Latency } from './health.ts'
import { orderCandidates } from './order.ts'
import { factsOf, providerOf } from './testing/scripted-router.ts'
import { typicalUsage } from './typical-usage.ts'

test('cheapest goes by the expected cost, then by quality, then by reference', () => {
  const candidates = [
    candidate('c/x', { expectedNanos: 5, quality: 50 }),
    candidate('b/x', { expectedNanos: 5, quality: 50 }),
    candidate('d/x', { expectedNanos: 5, quality: 90 }),
    candidate('a/x', { expectedNanos: 9 }),
  ]
  expect(refs('cheapest', candidates)).toEqual(['d/x', 'b/x', 'c/x', 'a/x'])
})

test('smartest goes by quality, then by cost', () => {
  const candidates = [
    candidate('a/x', { quality: 80, expectedNanos: 9 }),
    candidate('b/x', { quality: 80, expectedNanos: 5 }),
    candidate('c/x', { quality: 90, expectedNanos: 99 }),
  ]
  expect(refs('smartest', candidates)).toEqual(['c/x', 'b/x', 'a/x'])
})

test('fastest puts known good ones first, then unknown ones, then those that fail', () => {
  const latencies: Record<string, Latency> = {
    'a/failing': { calls: 4, failures: 2, medianMs: 10 },
    'b/slow': { calls: 4, failures: 0, medianMs: 900 },
    'd/quick': { calls: 4, failures: 0, medianMs: 300 },
    // 250 ms, but one call in four is for nothing.
    'e/shaky': { calls: 4, failures: 1, medianMs: 250 },
  }
  const candidates = ['a/failing', 'b/slow', 'c/unknown', 'd/quick', 'e/shaky'].map((ref) => candidate(ref))
  expect(refs('fastest', candidates, latencies)).toEqual([
    'd/quick',
    'e/shaky',
    'b/slow',
    'c/unknown',
    'a/failing',
  ])
})

test('fallback keeps the order of the operator, whatever the price and the quality', () => {
  const candidates = [
    candidate('a/x', { place: 2, quality: 99, expectedNanos: 1 }),
    candidate('b/x', { place: 0 }),
    candidate('c/x', { place: 1 }),
  ]
  expect(refs('fallback', candidates)).toEqual(['b/x', 'c/x', 'a/x'])
})

test('balanced prefers the dearest to the cheapest only when it is more than twice as good', () => {
  const cheap = candidate('a/cheap', { quality: 40, expectedNanos: 1_000_000 })
  const dear = (quality: number) => candidate('b/dear', { quality, expectedNanos: 50_000_000 })
  expect(refs('balanced', [cheap, dear(79)])).toEqual(['a/cheap', 'b/dear'])
  expect(refs('balanced', [cheap, dear(81)])).toEqual(['b/dear', 'a/cheap'])
})

test('balanced takes the middle where both ends are one-sided', () => {
  const candidates = [
    candidate('a/old', { quality: 30, expectedNanos: 250_000 }),
    candidate('b/middle', { quality: 65, expectedNanos: 1_000_000 }),
    candidate('c/best', { quality: 80, expectedNanos: 5_000_000 }),
  ]
  expect(refs('balanced', candidates)[0]).toBe('b/middle')
})

test('balanced sees no difference between prices that are next to nothing', () => {
  const candidates = [
    candidate('a/free', { quality: 50, expectedNanos: 0 }),
    candidate('b/nearly', { quality: 51, expectedNanos: 99_999 }),
  ]
  expect(refs('balanced', candidates)).toEqual(['b/nearly', 'a/free'])
})

test('orders the same whatever order the candidates come in', () => {
  const candidates = ['b/x', 'a/x', 'c/x'].map((ref) => candidate(ref))
  for (const strategy of ['cheapest', 'fastest', 'smartest', 'balanced', 'fallback'] as const) {
    expect(refs(strategy, candidates)).toEqual(['a/x', 'b/x', 'c/x'])
    expect(refs(strategy, candidates.toReversed())).toEqual(['a/x', 'b/x', 'c/x'])
  }
})

test('expects a quarter as much output as input, within bounds', () => {
  expect(typicalUsage({ inputTokens: 40_000, maxOutputTokens: 20_000 }).output).toBe(10_000)
  expect(typicalUsage({ inputTokens: 40_000, maxOutputTokens: 8_000 }).output).toBe(8_000)
  expect(typicalUsage({ inputTokens: 10, maxOutputTokens: 8_000 }).output).toBe(256)
})

function candidate(
  ref: string,
  more: { quality?: number; expectedNanos?: number; place?: number } = {},
): Candidate {
  return {
    ref,
    provider: providerOf(ref.slice(0, 1)),
    model: ref.slice(2),
    cut: false,
    facts: factsOf(ref.slice(2), { quality: more.quality ?? 50 }),
    place: more.place ?? 0,
    expectedNanos: more.expectedNanos ?? 1_000_000,
  }
}

function refs(
  strategy: Parameters<typeof orderCandidates>[0],
  candidates: readonly Candidate[],
  latencies: Record<string, Latency> = {},
): string[] {
  const latency = (ref: string) => latencies[ref] ?? { calls: 0, failures: 0, medianMs: null }
  return orderCandidates(strategy, candidates, { latency }).map(({ ref }) => ref)
}
