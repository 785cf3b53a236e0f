import type { FailureKind, ModelFailure } from '@countersign/agent'
import { expect, test } from 'vitest'
import { failureOfAll, mayFailOver } from './failover.ts'

const table: Record<FailureKind, boolean> = {
  timeout: true,
  rate_limited: true,
  unavailable: true,
  network: true,
  truncated: true,
  unknown: true,
  key: false,
  invalid: false,
  cancelled: false,
  budget: false,
}

test.each(Object.entries(table))('after %s another model is asked: %s', (kind, expected) => {
  expect(mayFailOver({ kind: kind as FailureKind })).toBe(expected)
})

test('gives the only failure as it is', () => {
  const failure: ModelFailure = { kind: 'key', message: 'Refused.' }
  expect(failureOfAll([{ ref: 'a/x', failure }])).toEqual(failure)
})

test('acts on the failure that is over first, and names every model', () => {
  const all = failureOfAll([
    attempt('a/x', 'rate_limited', 30_000),
    attempt('b/y', 'rate_limited', 2_000),
    attempt('c/z', 'key'),
  ])
  expect(all).toMatchObject({ kind: 'rate_limited', retryAfterMs: 2_000 })
  expect(all.message).toBe('No model delivered: a/x (rate limited), b/y (rate limited), c/z (key). From b/y.')
})

test('prefers one that may pass to one that may not, and a known one to an unknown one', () => {
  expect(failureOfAll([attempt('a/x', 'unknown'), attempt('b/y', 'network')]).kind).toBe('network')
  expect(failureOfAll([attempt('a/x', 'invalid'), attempt('b/y', 'unknown')]).kind).toBe('unknown')
  expect(failureOfAll([attempt('a/x', 'timeout'), attempt('b/y', 'network')]).kind).toBe('timeout')
})

test('stays short with many models', () => {
  const all = failureOfAll(Array.from({ length: 20 }, (_, index) => attempt(`a/${index}`, 'timeout')))
  expect(all.message).toContain('a/5 (timeout), 14 more.')
  expect(all.message).not.toContain('a/6')
})

function attempt(ref: string, kind: FailureKind, retryAfterMs?: number) {
  return {
    ref,
    failure: { kind, message: `From ${ref}.`, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  }
}
