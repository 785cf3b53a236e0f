/** Follows the event log over one connection after another. Every event is handed over once and in order. */
import { CountersignError, type FollowLedgerFrame, type ServerFrame } from '@countersign/contract'
import type { Connection } from '@countersign/contract/client'

export type OutgoingMessage = Parameters<Connection['send']>[0]

export interface FollowOptions {
  readonly connect: (options: {
    since: number | null
    onFrame: (frame: ServerFrame) => void
  }) => Promise<Connection>
  /** Null begins at the present. */
  readonly since: number | null
  readonly onFrame: (frame: ServerFrame) => void
  readonly onLost: () => void
  /** It does not come back at once: told once for each time that it was lost. */
  readonly onAway?: () => void
  readonly onBack: () => void
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

export interface EventFollower {
  /** False while there is no connection. */
  send(message: OutgoingMessage): boolean
  /** Nothing is sent while there is no connection. */
  followLedger(frame: FollowLedgerFrame): void
  /** Resolves when the signal ends it; rejects when the gateway no longer knows this device. */
  readonly ended: Promise<void>
}

const firstPauseMs = 200
const longestPauseMs = 2_000
/** A restart is over sooner. */
const briefly = 3

/** Resolves once connected. A first connection that fails is a failure; a later one is tried again. */
export async function follow(options: FollowOptions): Promise<EventFollower> {
  const { signal } = options
  let seq = options.since
  let connection: Connection | null = null

  function receive(frame: ServerFrame): void {
    if (frame.type === 'welcome') seq ??= frame.seq
    if (frame.type === 'gap') seq = frame.seq
    if (frame.type === 'event') {
      if (seq !== null && frame.event.seq <= seq) return
      seq = frame.event.seq
    }
    options.onFrame(frame)
  }

  const open = () => options.connect({ since: seq, onFrame: receive })

  async function openAgain(): Promise<Connection | null> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      if (tries === briefly) options.onAway?.()
      await options.wait(Math.min(firstPauseMs * 2 ** Math.min(tries, 10), longestPauseMs), signal)
      if (signal.aborted) return null
      try {
        return await open()
      } catch (error) {
        if (!(error instanceof CountersignError) || error.code === 'not_authenticated') throw error
      }
    }
    return null
  }

  async function keep(first: Connection): Promise<void> {
    const aborted = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    for (let current: Connection | null = first; current !== null && !signal.aborted; ) {
      connection = current
      await Promise.race([current.ended, aborted])
      connection = null
      if (signal.aborted) {
        current.close()
        return
      }
      options.onLost()
      current = await openAgain()
      connection = current
      if (current !== null) options.onBack()
    }
  }

  const first = await open()
  connection = first
  const ended = keep(first)
  return {
    send(message) {
      if (connection === null) return false
      connection.send(message)
      return true
    },
    followLedger: (frame) => connection?.followLedger(frame),
    ended,
  }
}
