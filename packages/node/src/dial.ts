/**
 * Owns staying connected: the node dials, and dials again with growing pauses when the connection is lost. A connection
 * on which nothing comes for a while is given up, since the gateway pings.
 */
import { largestNodeFrame, nodeLinkPath } from '@countersign/contract'
import { WebSocket } from 'ws'
import type { NodeSession } from './node-session.ts'

export interface DialParts {
  readonly address: string
  /** A session for one connection. */
  readonly session: (socket: {
    readonly send: (text: string) => void
    readonly end: (reason: string) => void
    readonly opened: () => void
  }) => NodeSession
  readonly state: (state: 'connecting' | 'connected' | 'waiting', reason: string) => void
  /** Resolves early when the signal says so. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Between 0 and 1. */
  readonly random: () => number
  readonly silenceMs?: number
}

export interface Dialed {
  /** What is connected now, if anything is. */
  session(): NodeSession | undefined
  /** Resolves when it dials no more, and every call has ended. */
  readonly ended: Promise<void>
  stop(): void
}

const firstPauseMs = 1_000
const longestPauseMs = 60_000
const closeMs = 2_000

export function dial(parts: DialParts): Dialed {
  const stopping = new AbortController()
  let current: NodeSession | undefined
  const sessions = new Set<NodeSession>()

  async function dialOnce(): Promise<{ readonly wasOpen: boolean; readonly reason: string }> {
    parts.state('connecting', '')
    const { promise, resolve } = Promise.withResolvers<{ wasOpen: boolean; reason: string }>()
    const web = new WebSocket(linkAddress(parts.address), {
      maxPayload: largestNodeFrame,
      perMessageDeflate: false,
      handshakeTimeout: 15_000,
      // A gateway that sends it elsewhere is not the one that it was paired with.
      followRedirects: false,
    })
    let wasOpen = false
    let reason = 'the connection was lost'
    const hangUp = (why: string) => {
      reason = why
      web.close(1008)
      setTimeout(() => web.terminate(), closeMs).unref()
    }
    const session = parts.session({
      send: (text) => web.send(text),
      end: hangUp,
      opened() {
        wasOpen = true
        current = session
        parts.state('connected', '')
      },
    })
    sessions.add(session)
    const alive = watchSilence(parts.silenceMs ?? 60_000, () => {
      reason = 'nothing came from the gateway'
      web.terminate()
    })
    const stop = () => hangUp('stopped')
    stopping.signal.addEventListener('abort', stop, { once: true })
    web.on('open', () => session.start())
    web.on('ping', alive.heard)
    web.on('message', (data, isBinary) => {
      alive.heard()
      if (isBinary) return hangUp('a frame was not understood')
      session.receive(data.toString())
    })
    web.on('error', (error) => {
      reason = error.message
    })
    web.on('close', () => {
      alive.stop()
      stopping.signal.removeEventListener('abort', stop)
      session.close()
      if (current === session) current = undefined
      void session.settled().then(() => sessions.delete(session))
      resolve({ wasOpen, reason })
    })
    return promise
  }

  async function stay(): Promise<void> {
    let pause = firstPauseMs
    while (!stopping.signal.aborted) {
      const { wasOpen, reason } = await dialOnce()
      if (stopping.signal.aborted) break
      if (wasOpen) pause = firstPauseMs
      parts.state('waiting', reason)
      // Many nodes do not come back at the same moment.
      await parts.wait(pause * (0.5 + parts.random() / 2), stopping.signal)
      pause = Math.min(pause * 2, longestPauseMs)
    }
    await Promise.all([...sessions].map((session) => session.settled()))
  }

  return { session: () => current, ended: stay(), stop: () => stopping.abort() }
}

export function linkAddress(address: string): string {
  const url = new URL(nodeLinkPath, address)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

function watchSilence(ms: number, onSilence: () => void) {
  const timer = setTimeout(onSilence, ms)
  return { heard: () => void timer.refresh(), stop: () => clearTimeout(timer) }
}
