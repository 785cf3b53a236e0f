/**
 * Keeps the live state over one connection after another: a snapshot first, then every event in order. Whatever is cut
 * off, the state is the one that the whole log gives, and where that cannot be had it begins from a new snapshot.
 */
import { CountersignError } from '../errors.ts'
import type { GatewayEvent } from '../events.ts'
import type { ServerFrame } from '../frames.ts'
import { reduce } from '../live/reduce.ts'
import { emptyLive, type LiveSnapshot, type LiveState } from '../live/state.ts'
import type { LedgerFollowing } from './ledger-following.ts'
import type { Connection } from './socket.ts'

/** `offline`: several attempts in a row have failed. They go on all the same. */
export type LivePhase = 'live' | 'reconnecting' | 'offline'

export interface LiveView {
  readonly state: LiveState
  readonly seq: number
  /** Events that are known to be there and are not in the state yet. */
  readonly behind: number
  readonly phase: LivePhase
  /** False until the first snapshot is there. */
  readonly loaded: boolean
  /** Why it is not live, in the words of the last attempt. Final where the device is not known. */
  readonly problem: CountersignError | null
}

export type DeltaFrame = Extract<ServerFrame, { type: 'delta' }>

export interface FollowLiveOptions {
  readonly client: {
    live(): Promise<LiveSnapshot>
    events(since: number, limit?: number): Promise<readonly GatewayEvent[]>
  }
  readonly connect: (options: {
    since: number | null
    onFrame: (frame: ServerFrame) => void
  }) => Promise<Connection>
  readonly onChange: (view: LiveView) => void
  /** Text as it streams; it is in no state. */
  readonly onDelta?: (delta: DeltaFrame) => void
  /** Events that a snapshot has jumped over. */
  readonly onSkipped?: (skipped: number) => void
  /** Answers to messages that were sent here. */
  readonly onAnswer?: (frame: Extract<ServerFrame, { type: 'admitted' | 'refused' }>) => void
  /** Resolves early when the signal says so. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 up to 1. */
  readonly random: () => number
}

export interface LiveFeed {
  view(): LiveView
  /** False while there is no connection. */
  send(message: Parameters<Connection['send']>[0]): boolean
  /** Brings the entries of the ledger as well, over this connection and every later one. Null ends that. */
  followLedger(following: LedgerFollowing | null): void
  /** The network may be back or gone, or the machine has slept: looks whether the connection still brings everything. */
  nudge(): void
  close(): void
  /** Resolves when it was closed, or when the gateway does not know this device. */
  readonly ended: Promise<void>
}

const firstPauseMs = 250
const longestPauseMs = 15_000
/** So many attempts in a row are called a reconnect; more of them are called offline. */
const briefly = 2
/** While it catches up, a view for every event would only be in the way. */
const catchUpStep = 50
const nudgeMs = 2_000
const longestOpeningMs = 20_000

export function followLive(options: FollowLiveOptions): LiveFeed {
  const closing = new AbortController()
  const { signal } = closing
  const closed = new Promise<'closed'>((resolve) => {
    signal.addEventListener('abort', () => resolve('closed'), { once: true })
  })
  let view: LiveView = {
    state: emptyLive,
    seq: 0,
    behind: 0,
    phase: 'reconnecting',
    loaded: false,
    problem: null,
  }
  let head = 0
  let stale = true
  let stuck = 0
  let connection: Connection | null = null
  let ledger: LedgerFollowing | null = null
  let lose: () => void = () => undefined
  let pause = new AbortController()

  function show(change: Partial<LiveView>): void {
    view = { ...view, ...change }
    if (!signal.aborted) options.onChange(view)
  }

  function take(event: GatewayEvent, onHole: () => void): void {
    head = Math.max(head, event.seq)
    if (event.seq <= view.state.seq) return
    if (event.seq > view.state.seq + 1) return onHole()
    stuck = 0
    const state = reduce(view.state, event)
    const behind = head - state.seq
    const next = { state, seq: state.seq, behind }
    if (behind === 0) show({ ...next, phase: 'live', problem: null })
    else if (behind % catchUpStep === 0) show(next)
    else view = { ...view, ...next }
  }

  async function load(): Promise<void> {
    const { state } = await options.client.live()
    const skipped = state.seq - view.seq
    const before = view.loaded
    head = state.seq
    stale = false
    stuck = 0
    show({ state, seq: state.seq, behind: 0, loaded: true })
    if (before && skipped > 0) options.onSkipped?.(skipped)
  }

  /** One connection, from the snapshot or the last event to its end. */
  async function attempt(): Promise<void> {
    if (stale) await load()
    if (signal.aborted) return
    const from = view.seq
    let current: Connection | null = null
    let over = false
    const drop = () => {
      stale = true
      over = true
      current?.close()
    }
    const onFrame = (frame: ServerFrame) => {
      if (over || signal.aborted) return
      switch (frame.type) {
        case 'welcome':
          head = frame.head ?? Math.max(head, frame.seq)
          // The log is shorter than what was seen of it: it is another one.
          if (head < view.seq) return drop()
          return show(
            head === view.seq
              ? { behind: 0, phase: 'live', problem: null }
              : { behind: head - view.seq, phase: 'reconnecting' },
          )
        case 'gap':
          return drop()
        case 'event':
          return take(frame.event, drop)
        case 'ledger':
          return ledger?.take(frame)
        case 'delta':
          return options.onDelta?.(frame)
        case 'admitted':
        case 'refused':
          return options.onAnswer?.(frame)
        case 'challenge':
          return
      }
    }
    current = await opened(options.connect({ since: from, onFrame }), { wait: options.wait, closed })
    if (current === null || over) return current?.close()
    connection = current
    if (ledger) current.followLedger(ledger.frame())
    // A network that is gone does not even tell of the end: who found that out need not wait for it.
    const lost = new Promise<void>((resolve) => {
      lose = resolve
    })
    await Promise.race([current.ended, closed, lost])
    connection = null
    over = true
    current.close()
    // An event that cannot be read would come again and again; a snapshot has it behind it.
    if (view.seq === from && view.behind > 0) stuck += 1
    if (stuck >= 2) stale = true
  }

  async function keep(): Promise<void> {
    let failures = 0
    let hurried = false
    while (!signal.aborted) {
      let problem: CountersignError | null = null
      const seen = view.seq
      try {
        await attempt()
        failures = view.seq > seen || view.phase === 'live' ? 0 : failures + 1
      } catch (error) {
        problem = known(error)
        failures += 1
      }
      if (signal.aborted) return
      if (problem?.code === 'not_authenticated') return show({ phase: 'offline', problem })
      show({ phase: failures > briefly ? 'offline' : 'reconnecting', problem })
      // A snapshot is wanted at once; everything else waits a little, each client for another time.
      hurried = stale && problem === null && !hurried
      if (hurried) continue
      const ms = Math.min(firstPauseMs * 2 ** Math.min(failures, 10), longestPauseMs)
      pause = new AbortController()
      await options.wait(ms / 2 + (options.random() * ms) / 2, AbortSignal.any([pause.signal, signal]))
    }
  }

  async function probe(current: Connection): Promise<void> {
    const missing = await options.client.events(view.seq, 1)
    const [next] = missing
    if (next === undefined) return
    await options.wait(nudgeMs, signal)
    if (connection === current && view.seq < next.seq) lose()
  }

  return {
    view: () => view,
    send(message) {
      if (connection === null) return false
      connection.send(message)
      return true
    },
    followLedger(following) {
      if (following === null && ledger === null) return
      ledger = following
      connection?.followLedger(following && following.frame())
    },
    nudge() {
      pause.abort()
      const current = connection
      if (current === null) return
      probe(current).catch(() => {
        if (connection === current) lose()
      })
    },
    close() {
      closing.abort()
      connection?.close()
    },
    ended: keep(),
  }
}

/** Null where it was closed meanwhile. */
async function opened(
  opening: Promise<Connection>,
  { wait, closed }: Pick<FollowLiveOptions, 'wait'> & { readonly closed: Promise<'closed'> },
): Promise<Connection | null> {
  const settled = new AbortController()
  const late = wait(longestOpeningMs, settled.signal).then(() => 'late' as const)
  const first = await Promise.race([opening, late, closed]).finally(() => settled.abort())
  if (typeof first === 'object') return first
  opening.then(
    (unwanted) => unwanted.close(),
    () => undefined,
  )
  if (first === 'closed') return null
  throw new CountersignError('gateway_unreachable', 'The gateway did not answer in time.')
}

function known(error: unknown): CountersignError {
  if (error instanceof CountersignError) return error
  return new CountersignError('internal', 'The message of the gateway is not in the expected format.', {
    cause: error,
    next: 'Reload the page: the gateway may have a newer version.',
  })
}
