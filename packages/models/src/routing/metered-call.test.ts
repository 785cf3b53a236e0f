import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallObserver } from '../observe/observer.ts'
import type { Health } from './health.ts'
import {
  deliver,
  fail,
  noUsage,
  openTestMeter,
  openTestRouter,
  requestOf,
  type Script,
  type ScriptStep,
  sayStep,
} from './testing/scripted-router.ts'

const refs = ['a/one', 'a/other', 'b/two', 'c/three']

const step: fc.Arbitrary<ScriptStep> = fc.oneof(
  fc.constantFrom<ScriptStep>(
    sayStep('abc'),
    sayStep('de'),
    { do: 'think', text: 'hm' },
    { do: 'write', text: '{"a' },
    { do: 'take', ms: 400 },
    { do: 'tell', usage: { input: 50, output: 1 } },
    deliver,
    { do: 'deliver', usage: noUsage },
    { do: 'throw' },
    { do: 'stop' },
    { do: 'hang' },
  ),
  fc
    .constantFrom(
      'rate_limited' as const,
      'unavailable' as const,
      'timeout' as const,
      'network' as const,
      'key' as const,
      'invalid' as const,
      'truncated' as const,
      'unknown' as const,
    )
    .map((kind) => fail(kind)),
)

const scene = fc.record({
  scripts: fc.array(fc.array(step, { maxLength: 5 }), { minLength: refs.length, maxLength: refs.length }),
  /** After so many chunks the reader goes away, or the call is aborted. */
  leaveAfter: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  abortAfter: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
  refuse: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  settleThrows: fc.boolean(),
  observerThrows: fc.boolean(),
  streams: fc.integer({ min: 1, max: 4 }),
})

test('settles every reservation exactly once, whatever becomes of the call', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (given) => {
      const shown = { began: 0, ended: 0 }
      const observer: CallObserver = {
        began: () => {
          shown.began += 1
          if (given.observerThrows) throw new Error('bad')
        },
        ended: () => {
          shown.ended += 1
          if (given.observerThrows) throw new Error('bad')
        },
      }
      const scripts: Record<string, Script> = Object.fromEntries(
        refs.map((ref, index) => [ref, given.scripts[index] ?? []]),
      )
      const places = { taken: 0, left: 0 }
      const testRouter = openTestRouter({
        scripts,
        route: { strategy: 'fallback', models: refs },
        options: { observers: [observer] },
        watch: (health) => countingPlaces(health, places),
      })
      const books = openTestMeter({
        settleThrows: given.settleThrows,
        ...(given.refuse === undefined ? {} : { refuse: given.refuse }),
      })

      for (let round = 0; round < given.streams; round += 1) {
        const before = testRouter.called.length
        const controller = new AbortController()
        // A model that hangs is stopped by somebody in the end.
        const impatience = setTimeout(() => controller.abort(), 5)
        if (given.abortAfter === 0) controller.abort()
        let read = 0
        let endings = 0
        let left = false
        for await (const chunk of testRouter.router.stream(requestOf(), controller.signal, books)) {
          read += 1
          expect(endings).toBe(0)
          if (chunk.type === 'end' || chunk.type === 'failed') {
            endings += 1
            expect(books.settled.length).toBe(books.reserved.size)
          }
          if (read === given.abortAfter) controller.abort()
          if (read === given.leaveAfter) {
            left = true
            break
          }
        }
        clearTimeout(impatience)
        if (!left) expect(endings).toBe(1)
        const tried = testRouter.called.slice(before)
        expect(new Set(tried).size).toBe(tried.length)
        testRouter.time.ms += 1_000
      }

      expect(books.settled.map(({ id }) => id).toSorted()).toEqual([...books.reserved.keys()].toSorted())
      expect(testRouter.called.length).toBeLessThanOrEqual(books.reserved.size)
      expect(shown).toEqual({ began: testRouter.called.length, ended: testRouter.called.length })
      expect(places.left).toBe(places.taken)
      for (const { spent } of books.settled) {
        expect(Number.isSafeInteger(spent.costNanos) && spent.costNanos >= 0).toBe(true)
        expect(spent.totalMs).toBeGreaterThanOrEqual(spent.firstTokenMs ?? 0)
        if (spent.firstTokenMs !== null) expect(spent.usage.input).toBeGreaterThan(0)
      }
    }),
    { numRuns: 400 },
  )
})

/** Counts what was admitted against what was left, once for each. */
function countingPlaces(health: Health, places: { taken: number; left: number }): Health {
  return {
    ...health,
    admit: (provider) => {
      const admission = health.admit(provider)
      if (admission.kind === 'resting') return admission
      places.taken += 1
      let left = false
      return {
        kind: 'admitted',
        leave: (call) => {
          if (!left) places.left += 1
          left = true
          admission.leave(call)
        },
      }
    },
  }
}
