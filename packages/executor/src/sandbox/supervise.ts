/**
 * Owns one sandboxed process from its start to its end: its input, its output up to a limit, its time, and the
 * network that it was promised. Refuses to call a command run when its network never came up.
 */
import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { bringUp, type NetworkedCommand, type NetworkStart } from './network-program.ts'
import type { Sandbox, SandboxCommand, SandboxService } from './port.ts'

export interface LaunchedProcess {
  readonly child: ChildProcess
  /** Given over the channel once the network is served; only with the profile `network`. */
  readonly networked: NetworkedCommand | null
  /** Resolves when the sandbox and everything in it is gone. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  kill(): void
  /** Whether the command ever began; a sandbox's own failures share their exit codes with those of commands. */
  hasBegun(end: Pick<ProcessEnd, 'signal'>): boolean
}

export type Launch = (service: SandboxService | SandboxCommand, stdin: 'ignore' | 'pipe') => LaunchedProcess

/** A sandbox from the one thing in which sandboxes differ: how a process is launched in it. */
export function sandboxFrom(name: string, launch: Launch, layered = false): Sandbox {
  return {
    name,
    layered,
    async run(command, signal) {
      const startedAt = performance.now()
      if (signal.aborted) return { kind: 'cancelled', stdout: '', stderr: '', durationMs: 0 }
      const launched = launch(command, command.stdin === undefined && !command.talk ? 'ignore' : 'pipe')
      const { stopped, ...end } = await supervise(launched, command, signal)
      const { stdout, stderr } = end
      const durationMs = performance.now() - startedAt
      if (stopped !== null) return { kind: stopped, stdout, stderr, durationMs }
      if (!launched.hasBegun(end)) throw new Error(`${name} could not start the command: ${stderr.trim()}`)
      return { kind: 'exited', ...end, durationMs }
    },
    start(service) {
      const { child, ended, kill } = launch(service, 'pipe')
      const { stdin, stdout, stderr } = child
      if (stdin === null || stdout === null || stderr === null)
        throw new Error('a sandbox service needs its streams')
      const gone = (): void => undefined
      return { stdin, stdout, stderr, ended: ended.then(gone, gone), kill }
    },
  }
}

export interface ProcessEnd {
  readonly stopped: 'timeout' | 'cancelled' | null
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly truncated: boolean
}

export async function supervise(
  launched: LaunchedProcess,
  command: SandboxCommand,
  signal: AbortSignal,
): Promise<ProcessEnd> {
  const output = collect(launched.child, command.maxOutputBytes, command.talk === undefined)
  let stopped: ProcessEnd['stopped'] = null
  const stop = (kind: 'timeout' | 'cancelled'): void => {
    stopped ??= kind
    launched.kill()
  }
  const timer = setTimeout(() => stop('timeout'), command.timeoutMs)
  const onAbort = (): void => stop('cancelled')
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  if (command.stdin !== undefined) feed(launched.child.stdin, command.stdin)
  const network = serveNetwork(launched, command)
  const talked = talk(launched, command)
  try {
    const { code, signal: died } = await launched.ended
    const served = await network
    if ('problem' in served && stopped === null) {
      throw new Error(`the sandbox has no network: ${served.problem} ${output().stderr.trim()}`)
    }
    return { stopped, code, signal: died, ...output() }
  } finally {
    await talked
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    const served = await network
    if ('close' in served) await served.close()
  }
}

/** Whatever becomes of it, the command ends with it; what it has to tell it tells to whoever gave it. */
async function talk({ child, kill }: LaunchedProcess, command: SandboxCommand): Promise<void> {
  const { stdin, stdout } = child
  if (command.talk === undefined || stdin === null || stdout === null) return
  stdin.on('error', () => stdin.destroy())
  try {
    await command.talk({ stdin, stdout })
  } catch {
    // A conversation that breaks off is its owner's to explain.
  } finally {
    kill()
  }
}

/** A command may end without reading its input; that is its own affair and not a failure of the sandbox. */
export function feed(stream: unknown, data: string | Uint8Array): void {
  const writable = stream as Writable
  writable.on('error', () => writable.destroy())
  writable.end(data)
}

async function serveNetwork(launched: LaunchedProcess, { network }: SandboxCommand): Promise<NetworkStart> {
  if (launched.networked === null || network === undefined) return { close: () => Promise.resolve() }
  const served = await bringUp(launched.child, launched.networked, network)
  if ('problem' in served) launched.kill()
  return served
}

function collect(
  child: ChildProcess,
  maxBytes: number,
  keepsOutput: boolean,
): () => { stdout: string; stderr: string; truncated: boolean } {
  let left = maxBytes
  let truncated = false
  const keep = (stream: Readable | null): Buffer[] => {
    const kept: Buffer[] = []
    stream?.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, left)
      left -= part.length
      if (part.length > 0) kept.push(part)
      if (part.length < chunk.length) truncated = true
    })
    return kept
  }
  const stdout = keepsOutput ? keep(child.stdout) : []
  const stderr = keep(child.stderr)
  return () => ({ stdout: textOf(stdout), stderr: textOf(stderr), truncated })
}

/** Streaming mode leaves out a character that the cap has cut in two. */
function textOf(chunks: readonly Buffer[]): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks), { stream: true })
}
