/**
 * Owns one embedding thread. Refuses to end it inside a call of the native engine, since that would abort the whole
 * process: it is asked to end, and an exiting process waits for the call.
 */
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { busyFlag, type FromThread, stopFlag, type ThreadData, type ToThread } from './message.ts'

export interface Thread {
  send(message: ToThread): void
  /** Whether the process stays alive for it. */
  hold(isHeld: boolean): void
  /** Resolves when it has ended, or is left to end by itself because it does not listen. */
  end(): Promise<void>
}

export interface ThreadOptions {
  readonly library: string
  readonly model: string
  readonly onMessage: (message: FromThread) => void
  /** Once, whether it was asked to end or not. */
  readonly onGone: (reason: string) => void
  /** Another program instead of the real one. */
  readonly file?: URL
}

const patienceMs = 5_000

export function startThread({ library, model, onMessage, onGone, file }: ThreadOptions): Thread {
  const flags = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
  const shared = new Int32Array(flags)
  // It loads from its first moment on.
  Atomics.store(shared, busyFlag, 1)
  const worker = new Worker(file ?? threadFile(), {
    workerData: { library, model, flags } satisfies ThreadData,
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  let reason = 'The embedding thread ended.'
  const beforeExit = () => {
    Atomics.store(shared, stopFlag, 1)
    Atomics.wait(shared, busyFlag, 1, patienceMs)
  }
  process.once('exit', beforeExit)
  worker.on('message', onMessage)
  worker.on('error', (error) => {
    reason = `The embedding thread failed: ${error instanceof Error ? error.message : String(error)}`
  })
  const gone = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      process.off('exit', beforeExit)
      onGone(reason)
      resolve()
    })
  })
  return {
    send: (message) => worker.postMessage(message),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    async end() {
      worker.postMessage({ kind: 'end' } satisfies ToThread)
      let timer: NodeJS.Timeout | undefined
      const outOfPatience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs)
      })
      await Promise.race([gone, outOfPatience])
      clearTimeout(timer)
      worker.unref()
    },
  }
}

/** Beside this file: a program of its own in the published package, the source in the repository. */
function threadFile(): URL {
  const bundled = new URL('./embedding-worker.js', import.meta.url)
  return existsSync(bundled) ? bundled : new URL('./worker.ts', import.meta.url)
}
