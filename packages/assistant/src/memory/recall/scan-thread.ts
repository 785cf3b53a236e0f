/** Owns the thread that scans: started with the first order, and again when it was lost. */
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { ScanAnswer, ScanOrder } from './scan-message.ts'
import type { NearMemory } from './vector-index.ts'

export interface ScanThread {
  send(order: Exclude<ScanOrder, { kind: 'search' }>): void
  search(order: Omit<Extract<ScanOrder, { kind: 'search' }>, 'kind' | 'id'>): Promise<readonly NearMemory[]>
  close(): Promise<void>
}

/** `onLost` is told when all that the thread held is gone with it. */
export function createScanThread(onLost: (problem: unknown) => void): ScanThread {
  const waiting = new Map<
    number,
    { resolve(found: readonly NearMemory[]): void; reject(problem: Error): void }
  >()
  let worker: Worker | undefined
  let next = 0
  let isClosing = false

  function lost(problem: Error): void {
    worker = undefined
    for (const each of waiting.values()) each.reject(problem)
    waiting.clear()
    if (!isClosing) onLost(problem)
  }

  function started(): Worker {
    if (worker) return worker
    const fresh = new Worker(workerFile(), { name: 'recall' })
    fresh.on('message', ({ id, found }: ScanAnswer) => {
      waiting.get(id)?.resolve(found)
      waiting.delete(id)
      if (waiting.size === 0) fresh.unref()
    })
    let problem = new Error('The thread that scans memories ended.')
    fresh.on('error', (error) => {
      problem = new Error('The thread that scans memories failed.', { cause: error })
    })
    fresh.once('exit', () => {
      if (worker === fresh) lost(problem)
    })
    // It never keeps the process alive, save for an answer that somebody waits for.
    fresh.unref()
    worker = fresh
    return fresh
  }

  return {
    send(order) {
      started().postMessage(order, order.kind === 'put' ? [order.vectors.buffer as ArrayBuffer] : [])
    },
    search(order) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly NearMemory[]>()
      const id = next++
      waiting.set(id, { resolve, reject })
      const thread = started()
      thread.ref()
      thread.postMessage({ ...order, kind: 'search', id } satisfies ScanOrder)
      return promise
    },
    async close() {
      isClosing = true
      await worker?.terminate()
      worker = undefined
    },
  }
}

/** Beside this file: a program of its own in the published package, the source in the repository. */
function workerFile(): URL {
  const bundled = new URL('./recall-worker.js', import.meta.url)
  return existsSync(bundled) ? bundled : new URL('./scan-worker.ts', import.meta.url)
}
