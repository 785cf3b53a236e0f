/**
 * Owns the texts that wait for the embedding process, and when there is one. Callers take turns batch by batch, so that
 * one question does not wait behind a whole archive. Refuses texts beyond what may wait, and to wait for a process
 * that no longer answers.
 */
import type { ModelFailure } from '@countersign/agent'
import type { FromWorker } from './message.ts'
import type { WorkerOptions, WorkerProcess } from './worker-process.ts'

export interface EmbeddingQueue {
  /** Never rejects. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<QueueAnswer>
  close(): Promise<void>
}

export type QueueAnswer =
  | { readonly kind: 'embedded'; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly failure: ModelFailure }

export interface QueueOptions {
  readonly start: (handlers: WorkerHandlers) => WorkerProcess
  /** A process without work ends after this time. */
  readonly idleMs: number
  /** One that has work and does not answer is ended after this time. */
  readonly patienceMs: number
  readonly mostWaiting: number
}

export type WorkerHandlers = Pick<WorkerOptions, 'onMessage' | 'onGone'>

/** Small, so that an abort and another caller's turn come soon. */
const batchSize = 16
const batchCharacters = 4_000
/** While one batch is worked on, the next lies ready. */
const mostUnderWay = 2
/** The model reads no more than the beginning of a longer text. */
const longestText = 10_000

export function createEmbeddingQueue(options: QueueOptions): EmbeddingQueue {
  const { start, idleMs, patienceMs, mostWaiting } = options
  const jobs: Job[] = []
  let lane: Lane | undefined
  let waiting = 0
  let nextId = 0
  let timer: NodeJS.Timeout | undefined
  let parted: Promise<unknown> = Promise.resolve()
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

  function sendBatch({ worker, underWay }: Lane, job: Job): void {
    const at = job.sent
    const texts = batchFrom(job.texts, at)
    job.sent += texts.length
    waiting -= texts.length
    if (job.sent < job.texts.length) jobs.push(job)
    underWay.set(nextId, { job, at })
    worker.send({ kind: 'embed', id: nextId, texts })
    nextId += 1
    worker.hold(true)
    if (underWay.size === 1) watch(worker)
  }

  function openLane(): Lane {
    const underWay = new Map<number, Batch>()
    const worker = start({
      onMessage(message) {
        const batch = underWay.get(message.id)
        underWay.delete(message.id)
        if (underWay.size > 0) watch(worker)
        if (batch) receive(batch, message)
        pump()
      },
      onGone(reason) {
        if (lane?.worker === worker) lane = undefined
        lose(underWay, reason)
      },
    })
    return { worker, underWay }
  }

  function receive({ job, at }: Batch, message: FromWorker): void {
    if (message.kind === 'dropped') return
    if (message.kind === 'failed') {
      finish(job, failed('unknown', `The embedding model failed: ${message.message}`))
      return
    }
    // What came over the channel are views of one message, which must not stay for the sake of one vector.
    for (const [index, vector] of message.vectors.entries()) job.vectors[at + index] = vector.slice()
    job.received += message.vectors.length
    if (job.received === job.texts.length) finish(job, { kind: 'embedded', vectors: job.vectors })
  }

  function lose(underWay: Map<number, Batch>, reason: string): void {
    const lost = new Set([...underWay.values()].map(({ job }) => job))
    underWay.clear()
    for (const job of lost) finish(job, failed('unavailable', `${reason} The next text starts another one.`))
    pump()
  }

  /** Safe to repeat. What the worker has of the job stays under way until it answers, or it would be given ever more. */
  function finish(job: Job, answer: QueueAnswer): void {
    for (const [id, batch] of lane?.underWay ?? []) {
      if (batch.job === job) lane?.worker.send({ kind: 'drop', id })
    }
    const at = jobs.indexOf(job)
    if (at >= 0) {
      jobs.splice(at, 1)
      waiting -= job.texts.length - job.sent
    }
    job.resolve(answer)
  }

  function rest({ worker }: Lane): void {
    worker.hold(false)
    after(idleMs, () => part(worker))
  }

  function watch(worker: WorkerProcess): void {
    after(patienceMs, () => {
      const left = part(worker)
      if (left)
        lose(left.underWay, `The embedding process did not answer for ${patienceMs} ms and was stopped.`)
    })
  }

  function part(worker: WorkerProcess): Lane | undefined {
    if (lane?.worker !== worker) return undefined
    const left = lane
    lane = undefined
    parted = Promise.all([parted, worker.end()])
    return left
  }

  function after(ms: number, work: () => void): void {
    clearTimeout(timer)
    timer = setTimeout(work, ms).unref()
  }

  return {
    embed(texts, signal) {
      if (isClosed) return Promise.resolve(failed('cancelled', 'Local embeddings are closed.'))
      if (signal.aborted) return Promise.resolve(cancelled())
      if (texts.length === 0) return Promise.resolve({ kind: 'embedded', vectors: [] })
      if (waiting + texts.length > mostWaiting) {
        const words = `More than ${mostWaiting} texts would be queued for embedding. Wait until some are done.`
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
      clearTimeout(timer)
      for (let job = jobs[0]; job; job = jobs[0]) finish(job, cancelled())
      for (const { job } of lane?.underWay.values() ?? []) finish(job, cancelled())
      await Promise.all([parted, lane?.worker.end()])
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
}

interface Lane {
  readonly worker: WorkerProcess
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
