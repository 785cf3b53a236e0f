import type { FailureKind, ModelPort, ModelReply, ModelRequest } from '@countersign/agent'
import { describe, expect, test } from 'vitest'
import { failureAdvice, type ProviderTest, runProviderTest } from './provider-test.ts'
import { createCountingMeter } from './testing/test-records.ts'

const trial: ProviderTest = {
  provider: { name: 'box', url: 'http://127.0.0.1:9/v1' },
  model: 'a',
  tools: true,
}
const reply: ModelReply = {
  text: ' Ready. ',
  calls: [],
  finish: 'stop',
  usage: { input: 1, output: 1, cached: 0, reasoning: 0 },
  model: 'a',
}
const never = new AbortController().signal

/** Says its words, then waits until it is stopped from the given call on. */
function stuckFrom(call: number): ModelPort {
  let calls = 0
  return {
    async *stream(_request, signal) {
      calls += 1
      if (calls < call) {
        yield { type: 'end', reply }
        return
      }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      yield { type: 'failed', failure: { kind: 'cancelled', message: 'The model call was cancelled.' } }
    },
  }
}

describe('a trial', () => {
  test('ends when its time is over, and says that it was too slow', async () => {
    const { meter } = createCountingMeter()
    const tested = await runProviderTest(trial, stuckFrom(1), meter, never, AbortSignal.timeout(20))
    expect(tested).toMatchObject({
      ok: false,
      problem: expect.stringContaining('80 s'),
      next: expect.stringContaining('--timeout 2m'),
    })
  })

  test('keeps what it saw when only the second call was too slow', async () => {
    const { meter } = createCountingMeter()
    const tested = await runProviderTest(trial, stuckFrom(2), meter, never, AbortSignal.timeout(20))
    expect(tested).toMatchObject({ ok: false, text: 'Ready.', tools: false })
  })

  test('that the caller stopped was stopped', async () => {
    const { meter } = createCountingMeter()
    const caller = new AbortController()
    const tested = runProviderTest(trial, stuckFrom(1), meter, caller.signal, never)
    caller.abort()
    expect(await tested).toMatchObject({ ok: false, problem: 'The model call was cancelled.' })
  })

  test('counts a call that could not be taken as no use of the tool', async () => {
    const { meter } = createCountingMeter()
    const port: ModelPort = {
      async *stream() {
        const call = { id: '1', name: 'report_status', args: '{', problem: 'The arguments were cut.' }
        yield { type: 'end', reply: { ...reply, calls: [call] } }
      },
    }
    expect(await runProviderTest(trial, port, meter, never)).toMatchObject({ ok: true, tools: false })
  })
})

test('a prompt of the operator is sent as it is, and nothing beside it', async () => {
  const { meter } = createCountingMeter()
  const asked: ModelRequest[] = []
  const port: ModelPort = {
    async *stream(request) {
      asked.push(request)
      yield { type: 'end', reply: { ...reply, text: 'x'.repeat(900) } }
    },
  }
  const tested = await runProviderTest({ ...trial, prompt: 'Write a haiku.' }, port, meter, never)
  expect(tested).toMatchObject({ ok: true, tools: null, text: 'x'.repeat(900) })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ messages: [{ role: 'user', text: 'Write a haiku.' }], tools: [] })
})

test.each([
  'rate_limited',
  'unavailable',
  'timeout',
  'network',
  'key',
  'invalid',
  'truncated',
  'cancelled',
  'budget',
  'unknown',
] satisfies FailureKind[])('there is a next step after %s', (kind) => {
  const told = failureAdvice({ kind, message: 'It did not work.' }, trial.provider, 'a')
  expect(told.problem).toBe('It did not work.')
  expect(told.next.length).toBeGreaterThan(10)
})
