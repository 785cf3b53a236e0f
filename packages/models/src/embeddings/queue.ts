/**
 * Owns the texts that wait for the embedding thread, and when there is a thread. Callers take turns batch by batch, so
 * that one question does not wait behind a whole archive. Refuses texts beyond what may wait.
 */
import type { ModelFailure } from '@countersign/agent'
import type { FromThread } from './message.ts'
import type { Thread } from './thread.ts'

export interface EmbeddingQueue {
  /** Never rejects. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<QueueAnswer>
  close(): Promise<void>
}

export type QueueAnswer =
  | { readonly kind: 'embedded'; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly failure: ModelFailure }

export interface QueueOptions {
  readonly start: (handlers: ThreadHandlers) => Thread
  /** A thread without work ends after this time. */
  readonly idleMs: number
  readonly mostWaiting: number
}

export interface ThreadHandlers {
  readonly onMessage: (message: FromThread) => void
  readonly onGone: (reason: string) => void
}

/** Small, so that an abort and another caller's turn come soon. */
const batchSize = 16
const batchCharacters = 4_000
/** While one batch is worked on, the next lies ready. */
const mostUnderWay = 2
/** The model reads no more than the beginning of a longer text. */
const longestText = 10_000

export function createEmbeddingQueue({ start, idleMs, mostWaiting }: QueueOptions): EmbeddingQueue {
  const jobs: Job[] = []
  let lane: Lane | undefined
  let waiting = 0
  let nextId = 0
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  function pump(): void {
    while (!isClosed && jobs.length > 0) {
      lane ??= openLane()
      if (lane.underWay.size >= mostUnderWay) return
      const job = jobs.shift()
      if (job) sendBatch(lane, job)
    }
    if (!isClosed && lane?.underWay.size === 0) rest(lane)
  }

  function sendBatch({ thread, underWay }: Lane, job: Job): void {
    clearTimeout(idle)
    thread.hold(true)
    const at = job.sent
    const texts = batchFrom(job.texts, at)
    job.sent += texts.length
    waiting -= texts.length
    if (job.sent < job.texts.length) jobs.push(job)
    underWay.set(nextId, { job, at, count: texts.length })
    thread.send({ kind: 'embed', id: nextId, texts })
    nextId += 1
  }

  function openLane(): Lane {
    const underWay = new Map<number, Batch>()
    const thread = start({
      onMessage(message) {
        if (message.kind === 'ready') return
        const batch = underWay.get(message.id)
        underWay.delete(message.id)
        if (batch) receive(batch, message)
        pump()
      },
      onGone(reason) {
        if (lane?.thread === thread) lane = undefined
        const lost = new Set([...underWay.values()].map(({ job }) => job))
        underWay.clear()
        for (const job of lost) finish(job, failed('unavailable', lostText(reason)))
        pump()
      },
    })
    return { thread, underWay }
  }

  function receive({ job, at, count }: Batch, message: Exclude<FromThread, { kind: 'ready' }>): void {
    if (message.kind === 'failed') {
      finish(job, failed('unknown', `The embedding model failed: ${message.message}`))
      return
    }
    const size = message.vectors.length / count
    for (let index = 0; index < count; index += 1) {
      job.vectors[at + index] = message.vectors.slice(index * size, (index + 1) * size)
    }
    job.received += count
    if (job.received === job.texts.length) finish(job, { kind: 'embedded', vectors: job.vectors })
  }

  /** Safe to repeat. */
  function finish(job: Job, answer: QueueAnswer): void {
    for (const [id, batch] of lane?.underWay ?? []) {
      if (batch.job !== job) continue
      lane?.underWay.delete(id)
      lane?.thread.send({ kind: 'drop', id })
    }
    const at = jobs.indexOf(job)
    if (at >= 0) {
      jobs.splice(at, 1)
      waiting -= job.texts.length - job.sent
    }
    job.resolve(answer)
  }

  function rest({ thread }: Lane): void {
    thread.hold(false)
    clearTimeout(idle)
    idle = setTimeout(() => {
      if (lane?.thread !== thread || lane.underWay.size > 0) return
      lane = undefined
      void thread.end()
    }, idleMs)
    idle.unref()
  }

  return {
    embed(texts, signal) {
      if (isClosed) return Promise.resolve(failed('cancelled', 'Local embeddings are closed.'))
      if (signal.aborted) return Promise.resolve(cancelled())
      if (texts.length === 0) return Promise.resolve({ kind: 'embedded', vectors: [] })
      if (waiting + texts.length > mostWaiting) {
        const words = `More than ${mostWaiting} texts would wait to be embedded. Wait until some are done.`
        return Promise.resolve(failed('rate_limited', words))
      }
      return new Promise((resolve) => {
        const job: Job = {
          texts,
          vectors: Array.from({ length: texts.length }),
          sent: 0,
          received: 0,
          resolve: (answer) => {
            signal.removeEventListener('abort', leave)
            resolve(answer)
          },
        }
        const leave = () => {
          finish(job, cancelled())
          pump()
        }
        signal.addEventListener('abort', leave, { once: true })
        jobs.push(job)
        waiting += texts.length
        pump()
      })
    },
    async close() {
      isClosed = true
      clearTimeout(idle)
      for (let job = jobs[0]; job; job = jobs[0]) finish(job, cancelled())
      for (const { job } of lane?.underWay.values() ?? []) finish(job, cancelled())
      await lane?.thread.end()
    },
  }
}

interface Job {
  readonly texts: readonly string[]
  readonly vectors: Float32Array[]
  sent: number
  received: number
  resolve(answer: QueueAnswer): void
}

interface Batch {
  readonly job: Job
  readonly at: number
  readonly count: number
}

interface Lane {
  readonly thread: Thread
  readonly underWay: Map<number, Batch>
}

function batchFrom(texts: readonly string[], at: number): string[] {
  const batch: string[] = []
  let characters = 0
  for (const text of texts.slice(at, at + batchSize)) {
    const read = text.slice(0, longestText)
    if (batch.length > 0 && characters + read.length > batchCharacters) break
    characters += read.length
    batch.push(read)
  }
  return batch
}

function failed(kind: ModelFailure['kind'], message: string): QueueAnswer {
  return { kind: 'failed', failure: { kind, message } }
}

function cancelled(): QueueAnswer {
  return failed('cancelled', 'The embedding was cancelled.')
}

function lostText(reason: string): string {
  return `${reason} The next text starts another one.`
}
