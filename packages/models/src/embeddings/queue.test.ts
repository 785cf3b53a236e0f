import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ToWorker } from './message.ts'
import { createEmbeddingQueue, type WorkerHandlers } from './queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const patienceMs = 1_500
const quiet = (): AbortSignal => new AbortController().signal
const texts = (count: number, text = 'text') => Array.from({ length: count }, () => text)

/** Processes that answer only when they are told to. */
function openQueue() {
  const workers: HeldWorker[] = []
  const queue = createEmbeddingQueue({
    start(handlers) {
      const worker = heldWorker(handlers)
      workers.push(worker)
      return worker
    },
    idleMs: 60_000,
    patienceMs,
    mostWaiting: 1_000,
  })
  return { queue, workers, last: () => workers.at(-1) as HeldWorker }
}

type HeldWorker = ReturnType<typeof heldWorker>

function heldWorker(handlers: WorkerHandlers) {
  const batches: Extract<ToWorker, { kind: 'embed' }>[] = []
  const sizes: number[] = []
  return {
    /** Of the batches, in the order in which they came. */
    sizes,
    hasEnded: false,
    hold: () => undefined,
    send(message: ToWorker) {
      if (message.kind !== 'embed') return
      batches.push(message)
      sizes.push(message.texts.length)
    },
    end() {
      this.hasEnded = true
      return Promise.resolve()
    },
    /** Answers the oldest batch; false when there is none. */
    answer(): boolean {
      const batch = batches.shift()
      if (!batch) return false
      handlers.onMessage({
        kind: 'embedded',
        id: batch.id,
        vectors: batch.texts.map(() => Float32Array.of(1)),
      })
      return true
    },
  }
}

test('what a process has that does not answer any more fails, and what waits goes to another', async () => {
  const { queue, workers, last } = openQueue()
  const hanging = queue.embed(['hang'], quiet())
  const next = queue.embed(texts(64), quiet())
  const waiting = queue.embed(['one'], quiet())
  vi.advanceTimersByTime(patienceMs)
  expect(await hanging).toMatchObject({
    kind: 'failed',
    failure: {
      kind: 'unavailable',
      message: expect.stringContaining('did not answer for 1500 ms') as string,
    },
  })
  expect(await next).toMatchObject({ kind: 'failed' })
  expect(workers.map(({ hasEnded }) => hasEnded)).toEqual([true, false])
  last().answer()
  expect(await waiting).toMatchObject({ kind: 'embedded' })
})

test('a process that hangs with texts nobody waits for holds nobody up for good', async () => {
  const { queue, workers, last } = openQueue()
  for (let count = 0; count < 3; count += 1) {
    const leaving = new AbortController()
    const left = queue.embed(['hang'], leaving.signal)
    leaving.abort()
    expect(await left).toMatchObject({ failure: { kind: 'cancelled' } })
  }
  const waiting = queue.embed(['one'], quiet())
  vi.advanceTimersByTime(patienceMs)
  expect(workers).toHaveLength(2)
  last().answer()
  expect(await waiting).toMatchObject({ kind: 'embedded' })
})

test('texts take as long as they need while the process answers', async () => {
  const { queue, workers, last } = openQueue()
  const slow = queue.embed(texts(160), quiet())
  do vi.advanceTimersByTime(patienceMs - 1)
  while (last().answer())
  expect(await slow).toMatchObject({ kind: 'embedded' })
  expect(workers).toHaveLength(1)
})

test('a question does not wait behind a whole archive', async () => {
  const { queue, last } = openQueue()
  void queue.embed(texts(160), quiet())
  const question = queue.embed(['one'], quiet())
  while (!last().sizes.includes(1)) last().answer()
  expect(last().sizes.length).toBeLessThanOrEqual(4)
  last().answer()
  last().answer()
  expect(await question).toMatchObject({ kind: 'embedded' })
})

test('texts that are cancelled are answered while the process still has them', async () => {
  const { queue } = openQueue()
  const leaving = new AbortController()
  const left = queue.embed(texts(64), leaving.signal)
  leaving.abort()
  expect(await left).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
})

test('a process without work ends after a while', async () => {
  const { queue, last } = openQueue()
  const done = queue.embed(['one'], quiet())
  last().answer()
  await done
  vi.advanceTimersByTime(59_999)
  expect(last().hasEnded).toBe(false)
  vi.advanceTimersByTime(1)
  expect(last().hasEnded).toBe(true)
})
