/**
 * Owns the threads in which programs run. A thread whose program does not end is ended with it, and the next program
 * gets another. Refuses more programs at once than it has threads for: the others wait.
 */
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { type ScriptLimits, scriptLimits, tooLong } from './limits.ts'
import type { AnswersReply, FromWorker, MachineEnd, RawCall, ScriptJob, ToWorker } from './message.ts'
import { createBeginnings, type StartValuesStore } from './start-values.ts'
import { type CompiledMachine, compileMachine } from './wasm.ts'

export interface ScriptThreads {
  readonly limits: ScriptLimits
  readonly startValues: StartValuesStore
  /** Resolves even on failure. `ask` answers what the program waits for. */
  run(
    job: Omit<ScriptJob, 'limits'>,
    ask: (calls: readonly RawCall[]) => AnswersReply,
    signal: AbortSignal,
  ): Promise<MachineEnd>
  close(): Promise<void>
}

export interface ScriptThreadsOptions {
  readonly limits?: Partial<ScriptLimits>
  readonly threads?: number
  readonly now?: () => Date
}

export function createScriptThreads(options: ScriptThreadsOptions = {}): ScriptThreads {
  const limits: ScriptLimits = { ...scriptLimits, ...options.limits }
  const mostThreads = options.threads ?? 2
  const threads = new Set<Worker>()
  const idle: Worker[] = []
  const queue: (() => void)[] = []
  let machine: Promise<CompiledMachine> | undefined
  let starting = 0
  let isClosed = false

  async function take(signal: AbortSignal): Promise<Worker | undefined> {
    while (!isClosed && !signal.aborted) {
      const worker = idle.pop()
      if (worker) return worker
      if (threads.size + starting < mostThreads) return start()
      await turn(signal)
    }
    return undefined
  }

  /** Resolves when a thread may be free. */
  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        queue.splice(queue.indexOf(wake), 1)
        resolve()
      }
      queue.push(wake)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  async function start(): Promise<Worker> {
    starting += 1
    try {
      machine ??= compileMachine()
      const worker = new Worker(workerFile(), {
        workerData: { wasm: await machine },
        env: {},
        resourceLimits,
      })
      threads.add(worker)
      // Whatever ends a thread, waiting or not, must not end the executor.
      worker.on('error', () => undefined)
      worker.once('exit', () => forget(worker))
      return worker
    } catch (error) {
      machine = undefined
      queue.shift()?.()
      throw error
    } finally {
      starting -= 1
    }
  }

  function forget(worker: Worker): void {
    threads.delete(worker)
    const at = idle.indexOf(worker)
    if (at >= 0) idle.splice(at, 1)
    queue.shift()?.()
  }

  function give(worker: Worker, isSpoiled: boolean): void {
    if (isSpoiled) void worker.terminate()
    else if (threads.has(worker)) {
      worker.unref()
      idle.push(worker)
      queue.shift()?.()
    }
  }

  return {
    limits,
    startValues: createBeginnings({ now: options.now ?? (() => new Date()) }),
    async run(job, ask, signal) {
      try {
        const worker = await take(signal)
        if (worker && isClosed) void worker.terminate()
        if (!worker || isClosed) return failed(isClosed ? 'The machine is closed.' : 'Cancelled.')
        worker.ref()
        const { end, isSpoiled } = await attend(worker, { ...job, limits }, ask, signal)
        give(worker, isSpoiled)
        return end
      } catch (error) {
        return failed(`The machine did not start: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    async close() {
      isClosed = true
      for (const wake of queue.splice(0)) wake()
      await Promise.all([...threads].map((worker) => worker.terminate()))
    },
  }
}

/** For the thread itself; the memory of a program is limited by the machine. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
const lookEveryMs = 200
/** The machine ends a program by itself; only one that is deep in a single operation is ended from here. */
const graceMs = 300

interface ThreadResult {
  readonly end: MachineEnd
  /** The thread did not end the program, or is gone. */
  readonly isSpoiled: boolean
}

function attend(
  worker: Worker,
  job: ScriptJob,
  ask: (calls: readonly RawCall[]) => AnswersReply,
  signal: AbortSignal,
): Promise<ThreadResult> {
  const { wallMs, cpuMs } = job.limits
  const send = (message: ToWorker) => worker.postMessage(message)
  let beganMicros: number | undefined
  return new Promise((resolve) => {
    const finish = (end: MachineEnd, isSpoiled: boolean) => {
      clearTimeout(deadline)
      clearInterval(looking)
      signal.removeEventListener('abort', cancel)
      worker.off('message', receive).off('error', lose).off('exit', leave)
      resolve({ end, isSpoiled })
    }
    const receive = (message: FromWorker) => {
      if (message.kind === 'began') beganMicros = message.cpuMicros
      else if (message.kind === 'waits') send(ask(message.calls))
      else finish(message.end, false)
    }
    const cancel = () => finish(failed('Cancelled.'), true)
    const lose = (error: unknown) => finish(failed(lostText(error)), true)
    const leave = () => finish(failed('The machine stopped.'), true)
    const look = async () => {
      if (beganMicros === undefined) return
      const usage = await worker.cpuUsage().catch(() => undefined)
      if (usage && (usage.user + usage.system - beganMicros) / 1000 > cpuMs + graceMs)
        finish(failed(tooLong(job.limits)), true)
    }
    const deadline = setTimeout(
      () => finish(failed(`It did not end within ${wallMs / 1000} s.`), true),
      wallMs,
    )
    const looking = setInterval(() => void look(), lookEveryMs)
    signal.addEventListener('abort', cancel)
    worker.on('message', receive).on('error', lose).on('exit', leave)
    if (signal.aborted) cancel()
    else send({ kind: 'run', job })
  })
}

function failed(reason: string): MachineEnd {
  return { kind: 'failed', reason, log: [] }
}

function lostText(error: unknown): string {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory ? 'It took too much memory.' : 'The machine stopped.'
}

/** Beside this file: a program of its own in the published package, the source in the repository. */
function workerFile(): URL {
  const bundled = new URL('./script-worker.js', import.meta.url)
  return existsSync(bundled) ? bundled : new URL('./worker.ts', import.meta.url)
}
