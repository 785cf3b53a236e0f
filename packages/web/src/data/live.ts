/**
 * Owns what is live in this page: the contract's feed as a store that React can read, and beside it the text that is
 * still being said. Refuses to be painted more than twenty times a second.
 */
import { emptyLive, type GatewayEvent, type LiveState, type ServerFrame } from '@countersign/contract'
import {
  type Connection,
  type FollowLiveOptions,
  followLive,
  type LedgerFollowing,
  type LiveFeed,
} from '@countersign/contract/client'
import { type Link, linkOf } from './link.ts'
import { noStreams, type Streams, withDelta, withoutEnded } from './streams.ts'

/** What a screen can see. Every part is replaced when it changes and never changed in place. */
export interface Live {
  readonly state: LiveState
  readonly link: Link
  readonly streams: Streams
  /** Events that were too many to follow; the views over HTTP have them. */
  readonly skipped: number
}

export interface LiveStore {
  get(): Live
  subscribe(listener: () => void): () => void
  /** Every event as it arrives, before it is painted. */
  onEvent(listener: (event: GatewayEvent) => void): () => void
  /** Events were jumped over: whatever was fetched before may be old. */
  onSkipped(listener: () => void): () => void
  start(): void
  stop(): void
  /** The network may be back: looks at once. */
  nudge(): void
  /** Brings the entries of the ledger as well. Null ends that. */
  followLedger(following: LedgerFollowing | null): void
  /** False while there is no connection. */
  send(message: Parameters<Connection['send']>[0]): boolean
}

export interface LivePorts extends Pick<FollowLiveOptions, 'client' | 'connect' | 'wait' | 'random'> {
  readonly later: (run: () => void, ms: number) => void
  /** What was shown last in this browser, for a start without a connection. */
  readonly last?: LiveState
}

const paintMs = 50

export function createLiveStore(ports: LivePorts): LiveStore {
  let live: Live = {
    state: ports.last ?? emptyLive,
    link: { kind: 'connecting' },
    streams: noStreams,
    skipped: 0,
  }
  let feed: LiveFeed | null = null
  let ledger: LedgerFollowing | null = null
  let painting = false
  const listeners = new Set<() => void>()
  const eventListeners = new Set<(event: GatewayEvent) => void>()
  const skipListeners = new Set<() => void>()

  const paint = () => {
    painting = false
    for (const listener of listeners) listener()
  }
  const change = (next: Partial<Live>) => {
    live = { ...live, ...next }
    if (painting) return
    painting = true
    ports.later(paint, paintMs)
  }
  const hear = (frame: ServerFrame) => {
    if (frame.type !== 'event') return
    const streams = withoutEnded(live.streams, frame.event)
    if (streams !== live.streams) change({ streams })
    for (const listener of eventListeners) listener(frame.event)
  }

  return {
    get: () => live,
    subscribe: (listener) => added(listeners, listener),
    onEvent: (listener) => added(eventListeners, listener),
    onSkipped: (listener) => added(skipListeners, listener),
    start() {
      feed ??= followLive({
        client: ports.client,
        wait: ports.wait,
        random: ports.random,
        connect: ({ since, onFrame }) =>
          ports.connect({
            since,
            onFrame: (frame) => {
              onFrame(frame)
              hear(frame)
            },
          }),
        onChange: (view) => {
          const link = linkOf(view)
          // Until the first snapshot is there, what was shown last is better than nothing.
          const state = view.loaded ? view.state : live.state
          change({ state, link, ...(link.kind === 'live' ? {} : { streams: noStreams }) })
        },
        onDelta: (delta) => change({ streams: withDelta(live.streams, delta) }),
        onSkipped: (skipped) => {
          change({ skipped: live.skipped + skipped })
          for (const listener of skipListeners) listener()
        },
      })
      feed.followLedger(ledger)
    },
    followLedger(following) {
      ledger = following
      feed?.followLedger(following)
    },
    stop() {
      feed?.close()
      feed = null
    },
    nudge: () => feed?.nudge(),
    send: (message) => feed?.send(message) ?? false,
  }
}

function added<T>(set: Set<T>, member: T): () => void {
  set.add(member)
  return () => set.delete(member)
}
