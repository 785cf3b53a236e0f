import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LedgerEntryView } from '../api-ledger.ts'
import { CountersignError } from '../errors.ts'
import type { GatewayEvent } from '../events.ts'
import { ClientFrame, type ServerFrame } from '../frames.ts'
import { fold } from '../live/reduce.ts'
import { emptyLive } from '../live/state.ts'
import { anyLog, idOf, numbered } from '../live/testing/events.ts'
import { liveText } from '../live/text.ts'
import { createLedgerFollowing } from './ledger-following.ts'
import { followLive, type LiveView } from './live.ts'
import type { Signer } from './signer.ts'
import { connect } from './socket.ts'

const signer: Signer = {
  device: idOf('dev', 1),
  gateway: idOf('gw', 1),
  sign: async () => 'c2lnbmVk',
  proves: async () => true,
  hash: async () => '',
  nonce: () => 'n',
  now: () => new Date(0),
}

const anEntry: LedgerEntryView = {
  seq: 0,
  at: '2026-08-01T11:00:00.000Z',
  type: 'test',
  sentence: 'Something happened.',
  actor: { kind: 'gateway', id: 'gateway', name: 'gateway' },
  tier: null,
  outcome: null,
  tool: null,
  effects: [],
  headline: null,
  run: null,
  session: null,
  call: null,
  approval: null,
  rules: [],
  hash: '',
  data: {},
  signed: false,
}

interface Script {
  /** How many frames each connection brings before it is cut; null never cuts. */
  readonly cuts: readonly (number | null)[]
  /** Snapshots that fail before one is given. */
  readonly failing?: number
  /** A longer way back is refused with a gap. */
  readonly longestReplay?: number
  /** This event is sent in a form that nobody can read. */
  readonly poison?: number
}

/** A gateway that is played: a log that grows, snapshots of it, and connections that end when the script says so. */
function playedGateway(script: Script) {
  const log: GatewayEvent[] = []
  const open = new Set<PlayedSocket>()
  let connections = 0
  let snapshots = 0
  let failing = script.failing ?? 0
  const told: string[] = []

  class PlayedSocket extends EventTarget {
    private left = script.cuts[connections++] ?? null
    private sent = Number.POSITIVE_INFINITY
    private over = false
    private ledgerId: string | null = null

    constructor() {
      super()
      queueMicrotask(() =>
        this.push({ type: 'challenge', nonce: 'n', gateway: signer.gateway, version: 1, proof: '' }),
      )
    }

    send(text: string): void {
      const frame = ClientFrame.parse(JSON.parse(text))
      if (frame.type === 'message') return void told.push(frame.text)
      if (frame.type === 'follow_ledger' || frame.type === 'unfollow_ledger') return this.follow(frame)
      const since = frame.since ?? log.length
      this.push({ type: 'welcome', seq: since, operator: 'op', head: log.length })
      open.add(this)
      this.sent = since
      if (log.length - since > (script.longestReplay ?? 10_000)) {
        this.push({ type: 'gap', seq: log.length, skipped: log.length - since })
        this.sent = log.length
      }
      this.flush()
    }

    private follow(frame: Extract<ClientFrame, { type: 'follow_ledger' | 'unfollow_ledger' }>): void {
      told.push(frame.type === 'follow_ledger' ? `ledger after ${frame.after}` : 'no ledger')
      this.ledgerId = frame.type === 'follow_ledger' ? frame.id : null
    }

    entries(numbers: readonly number[]): void {
      const entries = numbers.map((seq) => ({ ...anEntry, seq }))
      const after = numbers.at(-1) ?? 0
      if (this.ledgerId !== null)
        this.push({ type: 'ledger', id: this.ledgerId, entries, after, size: after })
    }

    flush(): void {
      for (; this.sent < log.length && !this.over; this.sent += 1) {
        const event = log[this.sent] as GatewayEvent
        this.push(
          event.seq === script.poison
            ? ({ type: 'event', event: { seq: event.seq } } as unknown as ServerFrame)
            : { type: 'event', event },
        )
      }
    }

    close(): void {
      if (this.over) return
      this.over = true
      open.delete(this)
      queueMicrotask(() => this.dispatchEvent(Object.assign(new Event('close'), { code: 1006, reason: '' })))
    }

    private push(frame: ServerFrame): void {
      if (this.over) return
      if (this.left === 0) return this.close()
      if (this.left !== null) this.left -= 1
      this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
    }
  }

  return {
    log,
    told,
    connections: () => connections,
    snapshots: () => snapshots,
    append(events: readonly GatewayEvent[]) {
      log.push(...events)
      for (const socket of open) socket.flush()
    },
    /** Another log takes the place of this one, as after a restored backup. */
    replace(events: readonly GatewayEvent[]) {
      log.splice(0, log.length, ...events)
      for (const socket of open) socket.close()
    },
    cutAll() {
      for (const socket of open) socket.close()
    },
    entries(...numbers: number[]) {
      for (const socket of open) socket.entries(numbers)
    },
    /** Leaves them open and mute, as a network that went away. */
    mute() {
      open.clear()
    },
    Socket: PlayedSocket as unknown as typeof WebSocket,
    client: {
      async live() {
        if (failing > 0) {
          failing -= 1
          throw new CountersignError('gateway_unreachable', 'Not now.')
        }
        snapshots += 1
        const state = fold(emptyLive, log)
        return { seq: state.seq, state, hash: '' }
      },
      events: async (since: number, limit = 500) => log.slice(since, since + limit),
    },
  }
}

function follow(gateway: ReturnType<typeof playedGateway>) {
  const views: LiveView[] = []
  const skipped: number[] = []
  const waits: number[] = []
  const feed = followLive({
    client: gateway.client,
    connect: (options) => connect({ ...options, url: 'http://localhost', signer, WebSocket: gateway.Socket }),
    onChange: (view) => views.push(view),
    onSkipped: (count) => skipped.push(count),
    wait: (ms, signal) => {
      if (ms < 20_000) waits.push(ms)
      return ms < 20_000
        ? tick()
        : new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    },
    random: () => 0.5,
  })
  const caughtUp = () => until(() => feed.view().phase === 'live' && feed.view().seq === gateway.log.length)
  return { feed, views, skipped, waits, caughtUp }
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

async function until(holds: () => boolean): Promise<void> {
  for (let at = 0; at < 20_000; at += 1) {
    if (holds()) return
    await tick()
  }
  throw new Error('it did not come to that')
}

const notices = (count: number, first = 1) =>
  numbered(
    Array.from({ length: count }, (_, at) => ({
      type: 'notice' as const,
      about: 'x',
      text: `${first + at}`,
    })),
    first,
  )

describe('the ledger over broken connections', () => {
  test('is asked for again from where it was, and every entry is handed over once', async () => {
    const gateway = playedGateway({ cuts: [] })
    const { feed, caughtUp } = follow(gateway)
    await caughtUp()
    const seen: number[] = []
    const onEntries = (entries: readonly LedgerEntryView[]) => seen.push(...entries.map(({ seq }) => seq))
    feed.followLedger(createLedgerFollowing({ id: 'a', after: 4, q: '', language: 'en', onEntries }))
    gateway.entries(5, 6)
    gateway.entries(6, 7)
    gateway.cutAll()
    await until(() => gateway.told.length === 2)
    gateway.entries(7, 8)
    expect(seen).toEqual([5, 6, 7, 8])
    const later: number[] = []
    feed.followLedger(
      createLedgerFollowing({
        id: 'b',
        after: 8,
        q: 'tier>=2',
        language: 'en',
        onEntries: (entries) => later.push(...entries.map(({ seq }) => seq)),
      }),
    )
    gateway.entries(9)
    feed.followLedger(null)
    gateway.entries(10)
    expect(gateway.told).toEqual(['ledger after 4', 'ledger after 7', 'ledger after 8', 'no ledger'])
    expect([seen, later]).toEqual([[5, 6, 7, 8], [9]])
    feed.close()
    await feed.ended
  })
})

describe('the live state over broken connections', () => {
  test('is the fold of the log, wherever it was cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyLog,
        fc.array(fc.nat({ max: 12 }), { maxLength: 12 }),
        fc.nat({ max: 3 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 40 }),
        async (log, cuts, failing, longestReplay, step) => {
          const gateway = playedGateway({ cuts, failing, longestReplay })
          gateway.append(log.slice(0, step))
          const { feed, caughtUp } = follow(gateway)
          for (let at = step; at < log.length; at += step) {
            await tick()
            gateway.append(log.slice(at, at + step))
          }
          await caughtUp()
          expect(liveText(feed.view().state)).toBe(liveText(fold(emptyLive, log)))
          feed.close()
          await feed.ended
        },
      ),
      { numRuns: 100 },
    )
  }, 60_000)

  test('is never live while it is behind, and a view never goes back', async () => {
    const gateway = playedGateway({ cuts: [5, 9, 1, 0] })
    gateway.append(notices(120))
    const { feed, views, caughtUp } = follow(gateway)
    await caughtUp()
    gateway.append(notices(200, 121))
    gateway.cutAll()
    await caughtUp()
    feed.close()
    for (const view of views) expect(view.phase === 'live' && view.behind > 0).toBe(false)
    const seqs = views.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  })

  test('after a short cut only the gap is sent, after a long one there is a snapshot and it says so', async () => {
    const gateway = playedGateway({ cuts: [], longestReplay: 10 })
    gateway.append(notices(3))
    const { feed, skipped, caughtUp } = follow(gateway)
    await caughtUp()
    gateway.cutAll()
    gateway.append(notices(5, 4))
    await caughtUp()
    expect([gateway.snapshots(), skipped]).toEqual([1, []])
    gateway.cutAll()
    gateway.append(notices(50, 9))
    await caughtUp()
    expect([gateway.snapshots(), skipped]).toEqual([2, [50]])
    feed.close()
  })

  test('begins anew where the log is another one', async () => {
    const gateway = playedGateway({ cuts: [] })
    gateway.append(notices(30))
    const { feed, caughtUp } = follow(gateway)
    await caughtUp()
    gateway.replace(notices(4))
    await caughtUp()
    expect(feed.view().seq).toBe(4)
    feed.close()
  })

  test('an event that cannot be read is passed by with a snapshot', async () => {
    const gateway = playedGateway({ cuts: [], poison: 7 })
    gateway.append(notices(5))
    const { feed, caughtUp } = follow(gateway)
    await caughtUp()
    gateway.append(notices(5, 6))
    await caughtUp()
    expect(liveText(feed.view().state)).toBe(liveText(fold(emptyLive, notices(10))))
    feed.close()
  })

  test('pauses grow, differ and end, and it is offline only after several of them', async () => {
    const gateway = playedGateway({ cuts: [], failing: 12 })
    const { feed, views, waits, caughtUp } = follow(gateway)
    await caughtUp()
    expect(waits.slice(0, 3)).toEqual([375, 750, 1_500])
    expect(Math.max(...waits)).toBe(11_250)
    expect(views.slice(0, 2).map(({ phase }) => phase)).toEqual(['reconnecting', 'reconnecting'])
    expect(views[2]).toMatchObject({ phase: 'offline', problem: { code: 'gateway_unreachable' } })
    expect(feed.view()).toMatchObject({ phase: 'live', problem: null })
    feed.close()
  })

  test('ends where the gateway does not know the device', async () => {
    const gateway = playedGateway({ cuts: [] })
    const { feed } = follow({
      ...gateway,
      client: {
        ...gateway.client,
        live: () => Promise.reject(new CountersignError('not_authenticated', 'Who is that?')),
      },
    })
    await feed.ended
    expect(feed.view()).toMatchObject({ phase: 'offline', problem: { code: 'not_authenticated' } })
  })

  test('a nudge finds a connection that has gone mute and opens another', async () => {
    const gateway = playedGateway({ cuts: [] })
    gateway.append(notices(2))
    const { feed, caughtUp } = follow(gateway)
    await caughtUp()
    feed.nudge()
    await tick()
    expect(gateway.connections()).toBe(1)
    gateway.mute()
    gateway.append(notices(2, 3))
    feed.nudge()
    await caughtUp()
    expect([feed.view().seq, gateway.connections()]).toEqual([4, 2])
    feed.close()
  })

  test('a message goes out only over a connection', async () => {
    const gateway = playedGateway({ cuts: [] })
    const { feed, caughtUp } = follow(gateway)
    const message = { key: 'k'.repeat(8), session: null, text: 'Hello', mode: 'auto' as const }
    expect(feed.send(message)).toBe(false)
    await caughtUp()
    await until(() => feed.send(message))
    expect(gateway.told).toEqual(['Hello'])
    feed.close()
    await feed.ended
  })
})
