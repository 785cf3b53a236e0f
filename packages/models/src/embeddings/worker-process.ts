/**
 * Owns one embedding process, from its start to its end. A process and not a thread: a native engine that crashes ends
 * only itself, it can be ended inside a call, and its memory goes back when it does. Refuses to hand it anything of our
 * environment.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { FromWorker, ToWorker } from './message.ts'
import { type ProgramEnd, programEndText } from './program-end.ts'

export interface WorkerProcess {
  send(message: ToWorker): void
  /** Whether our own process stays alive for it. */
  hold(isHeld: boolean): void
  /** Resolves when it has ended, by force where it does not end by itself. */
  end(): Promise<void>
}

export interface WorkerOptions {
  /** The file of the library. */
  readonly library: string
  /** The folder that holds the model's files. */
  readonly model: string
  readonly onMessage: (message: FromWorker) => void
  /** Once, whether it was asked to end or not. */
  readonly onGone: (reason: string) => void
  /** Another program instead of the real one. */
  readonly file?: URL
}

/** Longer than one text takes. */
const graceMs = 1_000
const mostWritten = 4_000

export function startWorker({ library, model, onMessage, onGone, file }: WorkerOptions): WorkerProcess {
  const child = forked(file ?? workerFile(), [library, model])
  if (child instanceof Error) return neverStarted(child, onGone)
  let written = ''
  // Missing where the process could not be started for lack of file handles.
  const stderr = child.stderr as Socket | null | undefined
  stderr?.setEncoding('utf8').on('data', (piece: string) => {
    written = (written + piece).slice(-mostWritten)
  })
  child.on('message', (message) => onMessage(message as FromWorker))
  const gone = endOf(child).then((ending) => {
    onGone(
      ending instanceof Error
        ? notStartedText(ending)
        : `The embedding process ${programEndText({ ...ending, written })}`,
    )
  })

  const hold = (isHeld: boolean): void => {
    for (const handle of [child, child.channel, stderr]) {
      if (isHeld) handle?.ref()
      else handle?.unref()
    }
  }

  return {
    hold,
    send(message) {
      // One that is gone already says so by its end.
      if (child.connected) child.send(message, () => undefined)
    },
    async end() {
      hold(true)
      if (child.connected) child.disconnect()
      const force = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await gone
      clearTimeout(force)
    },
  }
}

function forked(file: URL, args: readonly string[]): ChildProcess | Error {
  try {
    return fork(file, args, {
      // Numbers travel as they lie in memory.
      serialization: 'advanced',
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Once all that it wrote has been read. Node's own event for that does not come after a `disconnect` of ours. */
function endOf(child: ChildProcess): Promise<Omit<ProgramEnd, 'written'> | Error> {
  const { promise, resolve } = Promise.withResolvers<Omit<ProgramEnd, 'written'> | Error>()
  const silent = new Promise<void>((settle) => {
    child.stderr?.once('close', settle)
  })
  child.once('exit', (code, signal) => void silent.then(() => resolve({ code, signal })))
  child.on('error', (error) => {
    if (child.pid === undefined) resolve(error)
  })
  return promise
}

function neverStarted(error: Error, onGone: WorkerOptions['onGone']): WorkerProcess {
  setImmediate(() => onGone(notStartedText(error)))
  return { send: () => undefined, hold: () => undefined, end: () => Promise.resolve() }
}

function notStartedText(error: Error): string {
  return `The embedding process could not be started: ${error.message}.`
}

/** Beside this file: a program of its own in the published package, the source in the repository. */
function workerFile(): URL {
  const bundled = new URL('./embedding-worker.js', import.meta.url)
  return existsSync(bundled) ? bundled : new URL('./worker.ts', import.meta.url)
}
