import { describe, expect, test } from 'vitest'
import { conversationLimits as limits } from './limits.ts'
import type { ModelFailure } from './model-port.ts'
import { delayedRetry, immediateRetry } from './retry.ts'
import type { FailureKind } from './usage.ts'

const failure = (kind: FailureKind, retryAfterMs?: number): ModelFailure => ({
  kind,
  message: kind,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
})
const middle = () => 0.5

describe('trying again at once', () => {
  test('waits a moment, twice, and no shorter than the provider asks', () => {
    expect(immediateRetry(failure('network'), 0, limits)).toBe(1_500)
    expect(immediateRetry(failure('rate_limited', 3_000), 1, limits)).toBe(3_000)
    expect(immediateRetry(failure('network'), 2, limits)).toBeUndefined()
  })

  test('leaves a provider alone that asks for long, and what cannot pass', () => {
    expect(immediateRetry(failure('rate_limited', 5_001), 0, limits)).toBeUndefined()
    for (const kind of ['key', 'invalid', 'cancelled', 'budget', 'unknown'] as const)
      expect(immediateRetry(failure(kind), 0, limits)).toBeUndefined()
  })
})

describe('trying again later', () => {
  test.each([
    ['rate_limited', 5],
    ['network', 3],
    ['timeout', 3],
    ['unavailable', 3],
    ['truncated', 3],
    ['unknown', 2],
  ] as const)('%s is tried %i times, each time after twice as long', (kind, of) => {
    const waits = Array.from({ length: of + 1 }, (_, before) =>
      delayedRetry(failure(kind), before, limits.delayedRetry, middle),
    )
    expect(waits.map((wait) => wait?.delayMs)).toEqual([
      ...Array.from({ length: of }, (_, before) => 10_000 * 2 ** before),
      undefined,
    ])
    expect(waits[0]).toMatchObject({ attempt: 1, of })
  })

  test.each(['key', 'invalid', 'cancelled', 'budget'] as const)('%s is final', (kind) => {
    expect(delayedRetry(failure(kind), 0, limits.delayedRetry, middle)).toBeUndefined()
  })

  test('is spread by chance, and never sooner than the provider asks, nor later than an hour', () => {
    const at = (random: number, retryAfterMs?: number) =>
      delayedRetry(failure('rate_limited', retryAfterMs), 0, limits.delayedRetry, () => random)?.delayMs
    expect([at(0), at(1)]).toEqual([8_000, 12_000])
    expect(at(0, 42_000)).toBe(42_000)
    expect(at(0, 10 * 60 * 60_000)).toBe(60 * 60_000)
  })
})
