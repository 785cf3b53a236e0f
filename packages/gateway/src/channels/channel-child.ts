/** Owns what the gateway needs of the process of a channel, whoever started it: two streams, its end, and a way to end it. */
import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { channelCommand } from './channel-sandbox.ts'

export interface ChannelEnd {
  /** For a person. */
  readonly problem: string
  /** Starting it again is no use before something changes. */
  readonly final: boolean
}

export interface ChannelChild {
  readonly stdin: Writable
  readonly stdout: Readable
  /** None where another process started it. */
  readonly pid: number | undefined
  /** Resolves when it is gone; never rejects. */
  readonly ended: Promise<ChannelEnd>
  kill(): void
}

/** A channel of the product, in a process of the gateway's. */
export function ownChild(mainPath: string, kind: string): ChannelChild {
  const { program, words } = channelCommand(mainPath, kind)
  const child = spawn(program, words, { env: {}, stdio: ['pipe', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-1_000)
  })
  const { promise: ended, resolve } = Promise.withResolvers<ChannelEnd>()
  child.on('error', (error) => resolve({ problem: error.message, final: false }))
  child.once('close', (code) =>
    resolve({ problem: `Its process ended (${code}). ${complaint.trim()}`.trim(), final: false }),
  )
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    pid: child.pid,
    ended,
    kill: () => void child.kill('SIGKILL'),
  }
}
