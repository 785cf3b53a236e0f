/**
 * Owns the executor process from the gateway's side: starts it, starts it again when it dies, and speaks with it. An
 * executor that is gone is a value, not an error, so that the caller can send the same permit to the next one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CountersignError,
  ExecutorMessage,
  type ExecutorRequest,
  type InstalledExtensions,
  type MediaReply,
  noExtensions,
  type Permit,
  type PluginChannelEnd,
  type ResolveReply,
  type SpeechTask,
} from '@countersign/contract'
import { carriedStream } from '@countersign/contract/node'
import { type ExecuteOptions, executeOn, type PermitOutcome } from './client-execute.ts'
import type { ExecutorOptions } from './executor.ts'
import { post } from './post-request.ts'

export type ExecutorReady = Extract<ExecutorMessage, { type: 'ready' }>

export type ResolveOutcome =
  | { readonly kind: 'resolved'; readonly replies: readonly ResolveReply[] }
  | { readonly kind: 'executor_gone' }

export interface StartOptions {
  readonly options: ExecutorOptions
  /** The file that the process runs. */
  readonly mainPath: string
  /** Where the process keeps its compiled code, so that it starts sooner. Private to the operator. */
  readonly compileCache?: string | undefined
  /** Where the keyring of the operator's desktop is reached; the process has no other environment. */
  readonly bus?: Readonly<Record<string, string>> | undefined
  /** How long a request waits for a process that is being started again. */
  readonly patienceMs?: number
  onExit?(exit: { readonly code: number | null; readonly complaint: string }): void
}

export interface ExecutorClient {
  ready(): ExecutorReady
  /** What was let in from outside, as the executor last said. The same object as long as nothing changed. */
  extensions(): InstalledExtensions
  /** The process that runs now; none while it is being started again. */
  pid(): number | undefined
  resolve(calls: readonly { readonly tool: string; readonly args: string }[]): Promise<ResolveOutcome>
  /** Never rejects. One outcome for each permit, in order. */
  execute(permits: readonly Permit[], options?: ExecuteOptions): Promise<PermitOutcome[]>
  /** Has the programs of this machine speak or listen. Never rejects. */
  speech(task: SpeechTask, signal: AbortSignal): Promise<MediaReply>
  /** Starts the channel of a plugin, as it was let in. */
  channel(wanted: { readonly plugin: string; readonly launch: string }): CarriedChannel
  /** Calls the listener after each change of what was let in, until it is told to stop. */
  watchExtensions(listener: () => void): () => void
  /** Told to this process and to every later one before anything else. */
  readonly setWorld: (world: { readonly policy: string; readonly epoch: number }) => void
  /** Effects under way come to their end first. */
  close(): Promise<void>
}

export interface CarriedChannel {
  /** What it says, and what is said to it. */
  readonly stream: Duplex
  /** Never rejects. */
  readonly ended: Promise<PluginChannelEnd>
  stop(): void
}

const speechGone = {
  kind: 'failed',
  reason: 'The executor ended before it was done. Try again.',
} as const satisfies MediaReply

const longestPause = 5000
const startTimeoutMs = 120_000

export async function startExecutor(start: StartOptions): Promise<ExecutorClient> {
  const { patienceMs = 10_000 } = start
  const pending = new Map<number, { take(message: ExecutorMessage): void; lose(): void }>()
  let world: { policy: string; epoch: number } | undefined
  let lastReady: ExecutorReady
  let extensions = noExtensions
  const watching = new Set<() => void>()
  let nextId = 1
  let failures = 0
  let closing = false
  let pid: number | undefined
  let live: Promise<ChildProcess | undefined>

  async function launch(): Promise<ChildProcess> {
    const child = spawnMain(start)
    pid = child.pid
    let complaint = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-4000)
    })
    const ready = Promise.withResolvers<ExecutorReady>()
    const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
    let started = false
    child.on('message', (message) => {
      const parsed = ExecutorMessage.safeParse(message)
      if (!parsed.success) return
      if (parsed.data.type === 'ready') ready.resolve(parsed.data)
      else if (parsed.data.type === 'extensions') {
        extensions = parsed.data.extensions
        for (const listener of watching) listener()
      } else pending.get(parsed.data.id)?.take(parsed.data)
    })
    child.once('error', (error) => ready.reject(error))
    child.once('exit', (code) => {
      pid = undefined
      clearTimeout(timer)
      ready.reject(new CountersignError('internal', `The executor ended (${code}). ${complaint.trim()}`))
      for (const request of pending.values()) request.lose()
      start.onExit?.({ code, complaint })
      if (started && !closing) live = relaunch()
    })
    lastReady = await ready.promise
    clearTimeout(timer)
    started = true
    failures = 0
    if (world) child.send({ type: 'world', ...world } satisfies ExecutorRequest)
    return child
  }

  async function relaunch(): Promise<ChildProcess | undefined> {
    while (!closing) {
      await sleep(Math.min(100 * 2 ** failures, longestPause), undefined, { ref: false })
      failures += 1
      if (closing) return undefined
      try {
        return await launch()
      } catch (error) {
        start.onExit?.({ code: null, complaint: String(error) })
      }
    }
    return undefined
  }

  /** The running process, or nothing if there is none within the patience. */
  async function reach(): Promise<ChildProcess | undefined> {
    const stop = new AbortController()
    const none = sleep(patienceMs, undefined, { signal: stop.signal }).catch(() => undefined)
    const child = await Promise.race([live, none])
    stop.abort()
    return child?.connected ? child : undefined
  }

  live = launch()
  await live

  return {
    ready: () => lastReady,
    extensions: () => extensions,
    pid: () => pid,
    async resolve(calls) {
      const child = await reach()
      if (!child) return { kind: 'executor_gone' }
      const id = nextId++
      const end = Promise.withResolvers<ResolveOutcome>()
      pending.set(id, {
        take: (message) => {
          if (message.type === 'resolved') end.resolve({ kind: 'resolved', replies: message.replies })
        },
        lose: () => end.resolve({ kind: 'executor_gone' }),
      })
      post(child, { type: 'resolve', id, calls: [...calls] }, () => end.resolve({ kind: 'executor_gone' }))
      return end.promise.finally(() => pending.delete(id))
    },
    async execute(permits, options = {}) {
      const child = permits.length === 0 ? undefined : await reach()
      if (!child) return permits.map(() => ({ kind: 'lost' }))
      return executeOn(child, { id: nextId++, permits, options, pending })
    },
    async speech(task, signal) {
      const child = await reach()
      if (!child) return speechGone
      const id = nextId++
      const end = Promise.withResolvers<MediaReply>()
      const lose = () => end.resolve(speechGone)
      pending.set(id, {
        take: (message) => {
          if (message.type === 'spoken') end.resolve(message.reply)
        },
        lose,
      })
      const cancel = () => post(child, { type: 'cancel-speech', id }, () => undefined)
      signal.addEventListener('abort', cancel, { once: true })
      post(child, { type: 'speech', id, task }, lose)
      if (signal.aborted) cancel()
      return end.promise.finally(() => {
        signal.removeEventListener('abort', cancel)
        pending.delete(id)
      })
    },
    channel(wanted) {
      const id = nextId++
      return carriedChannel(wanted, id, {
        reach,
        pending,
      })
    },
    watchExtensions(listener) {
      watching.add(listener)
      return () => watching.delete(listener)
    },
    setWorld(next) {
      world = next
      void live.then((child) => child?.connected && post(child, { type: 'world', ...next }, () => undefined))
    },
    async close() {
      closing = true
      const child = await Promise.race([live, sleep(0)])
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      if (child.connected) child.disconnect()
      await gone
    },
  }
}

interface ChannelLine {
  reach(): Promise<ChildProcess | undefined>
  readonly pending: Map<number, { take(message: ExecutorMessage): void; lose(): void }>
}

function carriedChannel(
  wanted: { readonly plugin: string; readonly launch: string },
  id: number,
  { reach, pending }: ChannelLine,
): CarriedChannel {
  const { promise, resolve } = Promise.withResolvers<PluginChannelEnd>()
  const lose = () => resolve({ reason: 'The executor ended.', final: false })
  let child: ChildProcess | undefined
  const tell = (request: ExecutorRequest) => child && post(child, request, lose)
  const side = carriedStream({
    give: (piece) => tell({ type: 'channel-piece', id, piece }),
    take: () => tell({ type: 'channel-taken', id }),
  })
  // What is written before it is started waits.
  side.stream.cork()
  pending.set(id, {
    lose,
    take(message) {
      if (message.type === 'channel-piece') side.given(message.piece)
      if (message.type === 'channel-taken') side.taken()
      if (message.type === 'channel-ended') resolve(message.end)
    },
  })
  let isStopped = false
  void reach().then((reached) => {
    if (!reached || isStopped) return lose()
    child = reached
    tell({ type: 'channel', id, ...wanted })
    side.stream.uncork()
  })
  const ended = promise.finally(() => {
    pending.delete(id)
    side.end()
  })
  return {
    stream: side.stream,
    ended,
    stop() {
      isStopped = true
      tell({ type: 'channel-stop', id })
    },
  }
}

function spawnMain({ mainPath, options, compileCache, bus }: StartOptions): ChildProcess {
  return fork(mainPath, [JSON.stringify(options)], {
    env: { ...bus, ...(compileCache ? { NODE_COMPILE_CACHE: compileCache } : {}) },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}
