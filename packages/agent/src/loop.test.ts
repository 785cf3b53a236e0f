import { describe, expect, test } from 'vitest'
import { conversationLimits, type Limits } from './limits.ts'
import {
  type Control,
  type FailedTry,
  type LoopPorts,
  type LoopState,
  nextStreak,
  noStreak,
  runTurns,
  type TurnResult,
} from './loop.ts'
import type { Meter } from './meter.ts'
import type { ModelChunk, ModelFailure, ModelReply, ModelRequest } from './model-port.ts'

const calm: Control = { stop: false, pause: false, steering: [] }
const freeMeter: Meter = {
  reserve: () => Promise.resolve({ kind: 'reserved', id: 'mc' }),
  settle: () => Promise.resolve(),
}
const usage = { input: 1, output: 1, cached: 0, reasoning: 0 }

function reply(text: string, tools: readonly string[] = []): ModelChunk {
  const calls = tools.map((name, index) => ({ id: `c${index}`, name, args: '{}' }))
  return { type: 'end', reply: { text, calls, finish: 'stop', usage, model: 'm' } }
}
const failed = (kind: ModelFailure['kind'], extra: Partial<ModelFailure> = {}): ModelChunk => ({
  type: 'failed',
  failure: { kind, message: kind, ...extra },
})

interface Trial {
  readonly chunks: readonly (readonly ModelChunk[])[]
  readonly settled?: TurnResult
  readonly state?: Partial<LoopState>
  readonly limits?: Partial<Limits>
  readonly signal?: AbortSignal
}

async function attempt(trial: Trial) {
  const requests: ModelRequest[] = []
  const saved: ModelReply[] = []
  const shown: string[] = []
  const waits: number[] = []
  const retries: FailedTry[] = []
  const ports: LoopPorts = {
    model: {
      async *stream(request) {
        requests.push(request)
        yield* trial.chunks[Math.min(requests.length, trial.chunks.length) - 1] ?? []
      },
    },
    clock: () => 0,
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
    meter: freeMeter,
    retrying: (failed) => {
      retries.push(failed)
      return Promise.resolve()
    },
    show: (chunk) => {
      if (chunk.type !== 'again') shown.push(chunk.text)
    },
    replied: (_turn, one) => {
      saved.push(one)
      return Promise.resolve(one.calls.length)
    },
    finishTurn: () =>
      Promise.resolve(
        trial.settled ?? {
          kind: 'results',
          replies: [{ callId: 'c0', name: 'look', text: 'seen', isError: false }],
          control: calm,
        },
      ),
  }
  const state: LoopState = {
    system: 's',
    purpose: 'chat',
    tools: [],
    messages: [{ role: 'user', text: 'hi' }],
    turn: 0,
    toolCalls: 0,
    activeMs: 0,
    streak: noStreak,
    hasOpenCalls: false,
    control: calm,
    ...trial.state,
  }
  const signal = trial.signal ?? new AbortController().signal
  const end = await runTurns(state, ports, { ...conversationLimits, ...trial.limits }, signal)
  return { end, requests, saved, shown, waits, retries }
}

describe('the turn loop', () => {
  test('ends naturally with a reply that calls nothing', async () => {
    const { end, saved, shown } = await attempt({ chunks: [[{ type: 'text', text: 'he' }, reply('hello')]] })
    expect(end).toEqual({ kind: 'completed' })
    expect(saved.map((one) => one.text)).toEqual(['hello'])
    expect(shown).toEqual(['he'])
  })

  test('keeps what the model thought with its reply, and tells it to nobody again', async () => {
    const { saved, requests } = await attempt({
      chunks: [
        [{ type: 'reasoning', text: 'Perhaps ' }, { type: 'reasoning', text: 'look.' }, reply('', ['look'])],
        [
          { type: 'reasoning', text: 'x'.repeat(30_000) },
          { type: 'again', failure: { kind: 'timeout', message: 'late' }, next: 'b/two' },
          reply('done'),
        ],
      ],
    })
    expect(saved.map(({ reasoning }) => reasoning)).toEqual(['Perhaps look.', undefined])
    expect(JSON.stringify(requests)).not.toContain('Perhaps')
    const long = await attempt({ chunks: [[{ type: 'reasoning', text: 'x'.repeat(30_000) }, reply('done')]] })
    expect(long.saved[0]?.reasoning).toHaveLength(20_000)
  })

  test('says how far the run is once few turns or calls are left, and not before', async () => {
    const results = async (limits: Partial<Limits>) => {
      const { requests } = await attempt({ chunks: [[reply('', ['look'])], [reply('done')]], limits })
      const last = requests[1]?.messages.at(-1)
      return last?.role === 'tool' ? last.results.map(({ text }) => text) : []
    }
    expect(await results({})).toEqual(['seen'])
    expect(await results({ turns: 4 })).toEqual(['seen\n[Turn 1 of 4, call 1 of 200 of this run.]'])
    expect(await results({ toolCalls: 11 })).toEqual(['seen\n[Turn 1 of 50, call 1 of 11 of this run.]'])
    expect(await results({ toolCalls: 12 })).toEqual(['seen'])
  })

  test('gives the results of calls to the next turn', async () => {
    const { end, requests } = await attempt({ chunks: [[reply('', ['look'])], [reply('done')]] })
    expect(end.kind).toBe('completed')
    expect(requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool'])
  })

  test('settles what an earlier segment left before it asks the model again', async () => {
    const state = { turn: 1, hasOpenCalls: true }
    const { requests } = await attempt({ chunks: [[reply('done')]], state })
    expect(requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool' })
  })

  test('parks when a call must wait, without another model call', async () => {
    const { end, requests } = await attempt({
      chunks: [[reply('', ['send'])]],
      settled: { kind: 'parked', on: 'approval' },
    })
    expect(end).toEqual({ kind: 'parked', on: 'approval' })
    expect(requests).toHaveLength(1)
  })

  test('hears steering words before the next turn', async () => {
    const state = { control: { ...calm, steering: ['louder'] } }
    const { requests } = await attempt({ chunks: [[reply('OK')]], state })
    expect(requests[0]?.messages.at(-1)).toEqual({ role: 'user', text: 'louder' })
  })

  test('obeys a stop and a pause before it calls the model', async () => {
    const halted = await attempt({ chunks: [[reply('no')]], state: { control: { ...calm, stop: true } } })
    expect(halted.end).toMatchObject({ kind: 'ended', reason: 'manual' })
    const paused = await attempt({ chunks: [[reply('no')]], state: { control: { ...calm, pause: true } } })
    expect(paused.end).toEqual({ kind: 'parked', on: 'paused' })
    expect([...halted.requests, ...paused.requests]).toEqual([])
  })

  test.each([
    ['stop', { kind: 'ended', reason: 'manual' }],
    ['pause', { kind: 'parked', on: 'paused' }],
  ])('tells a cancelled stream apart by its reason: %s', async (reason, expected) => {
    const { end } = await attempt({ chunks: [[failed('cancelled')]], signal: AbortSignal.abort(reason) })
    expect(end).toMatchObject(expected)
  })

  test('tells of every try that failed, with its cause, before the next one', async () => {
    const { retries } = await attempt({
      chunks: [[failed('unavailable', { model: 'acme/large' })], [failed('network')], [reply('OK')]],
    })
    expect(retries).toMatchObject([
      { failure: { kind: 'unavailable', model: 'acme/large' }, attempt: 1, of: 2 },
      { failure: { kind: 'network' }, attempt: 2, of: 2 },
    ])
  })

  test('tells of a model that is asked instead', async () => {
    const { retries } = await attempt({
      chunks: [
        [
          { type: 'again', failure: { kind: 'unavailable', message: 'no' }, next: 'other/model' },
          reply('OK'),
        ],
      ],
    })
    expect(retries).toMatchObject([{ next: 'other/model', delayMs: 0 }])
  })

  test('does not take an empty reply for an answer, unless something was done', async () => {
    const empty = await attempt({ chunks: [[reply(' ')]] })
    expect(empty.end).toEqual({ kind: 'ended', reason: 'error', message: 'The model sent an empty reply.' })
    expect(empty.saved).toEqual([])
    const silent = await attempt({ chunks: [[reply('', ['look'])], [reply('')]] })
    expect(silent.end).toEqual({ kind: 'completed' })
  })

  test('tries a passing failure again, as long as the provider asks, and never more than its limit', async () => {
    const recovered = await attempt({
      chunks: [[failed('rate_limited', { retryAfterMs: 3_000 })], [reply('OK')]],
    })
    expect(recovered.end.kind).toBe('completed')
    expect(recovered.waits).toEqual([3_000])
    const lasting = await attempt({ chunks: [[failed('unavailable')]] })
    expect(lasting.end).toMatchObject({ kind: 'failing', failure: { kind: 'unavailable' } })
    expect(lasting.requests).toHaveLength(3)
  })

  test('tells a limit of money from a failure', async () => {
    const shortage = {
      budget: 'run',
      subject: 'run_1',
      period: 'ever',
      limitNanos: 1,
      takenNanos: 1,
      neededNanos: 1,
      message: 'Used up.',
    }
    const { end, requests } = await attempt({ chunks: [[failed('budget', { shortage })]] })
    expect(end).toEqual({ kind: 'short', shortage })
    expect(requests).toHaveLength(1)
  })

  test.each(['key', 'invalid', 'unknown'] as const)('does not try again after a %s failure', async (kind) => {
    const { end, requests } = await attempt({ chunks: [[failed(kind)]] })
    expect(end).toMatchObject({ kind: 'failing', failure: { kind } })
    expect(requests).toHaveLength(1)
  })

  test('takes a stream without an end as truncated: no call comes of it', async () => {
    const { end, saved } = await attempt({ chunks: [[{ type: 'text', text: 'half' }]] })
    expect(end).toMatchObject({ kind: 'failing', failure: { kind: 'truncated' } })
    expect(saved).toEqual([])
  })

  test.each([
    ['turns', { turns: 2 }, { turn: 2 }],
    ['tool calls', { toolCalls: 3 }, { toolCalls: 3 }],
    ['minutes', { activeMs: 1_000 }, { activeMs: 1_000 }],
    ['in a row', { sameCallsInARow: 4 }, { streak: { calls: '[["look","{}"]]', length: 4 } }],
  ])('stops at its limit: %s', async (words, limits, state) => {
    const { end, requests } = await attempt({ chunks: [[reply('no')]], limits, state })
    expect(end).toMatchObject({
      kind: 'ended',
      reason: 'limit',
      message: expect.stringContaining(words) as string,
    })
    expect(requests).toEqual([])
  })

  test('counts the same calls turn after turn, and forgets them when others are made', async () => {
    const limits = { sameCallsInARow: 3 }
    const same = await attempt({ chunks: [[reply('', ['look'])]], limits })
    expect(same.end).toMatchObject({ reason: 'limit' })
    expect(same.requests).toHaveLength(3)
    const mixed = await attempt({
      chunks: [[reply('', ['look'])], [reply('', ['look'])], [reply('', ['look', 'send'])], [reply('done')]],
      limits,
    })
    expect(mixed.end.kind).toBe('completed')
  })

  test('lets one tool go on as long as it is asked for other things', () => {
    const read = (page: number) =>
      nextStreak(noStreak, { calls: [{ id: 'm', name: 'read', args: `{"page":${page}}` }] })
    expect(read(1)).not.toEqual(read(2))
    expect(nextStreak(read(1), { calls: [{ id: 'n', name: 'read', args: '{"page":2}' }] }).length).toBe(1)
    expect(nextStreak(read(1), { calls: [{ id: 'n', name: 'read', args: '{"page":1}' }] }).length).toBe(2)
  })
})
