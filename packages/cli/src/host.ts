/** Owns what a command may use of the machine it runs on. Tests hand in another one. */
import type { Readable, Writable } from 'node:stream'
import { setTimeout as timer } from 'node:timers/promises'
import { type Environment, systemEnvironment } from './environment.ts'
import type { AskNode } from './node-program.ts'
import { type RunProgram, runProgram } from './run-program.ts'

export interface InputStream extends Readable {
  readonly isTTY?: boolean
  setRawMode?(on: boolean): unknown
}

export interface OutputStream extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

export interface Host {
  readonly environment: Environment
  readonly platform: NodeJS.Platform
  readonly input: InputStream
  readonly output: OutputStream
  readonly errors: OutputStream
  readonly clock: () => Date
  /** The time zone in which times are shown. */
  readonly zone: string | undefined
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Starts another program of this host, such as its service manager. */
  readonly runProgram: RunProgram
  readonly WebSocket?: typeof WebSocket
  /** Another way to fetch what somebody else hosts. */
  readonly fetch?: typeof fetch
  /** Its device looks whether the ledger is the one that it saw before. */
  readonly witnesses?: boolean
  /** Another node program than the one of this host. */
  readonly askNode?: AskNode
}

export function systemHost(): Host {
  return {
    environment: systemEnvironment(),
    platform: process.platform,
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    clock: () => new Date(),
    zone: undefined,
    wait: pause,
    runProgram,
    witnesses: true,
  }
}

/** Resolves early, without complaint, when the signal ends it: the caller looks at the signal. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await timer(ms, undefined, signal ? { signal } : {})
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
