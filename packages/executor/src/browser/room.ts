/**
 * Owns the browser of an executor and the pages in it, one for each session. The browser starts with the first page and
 * ends with the last. Refuses more pages than the room holds, and anything after it was closed.
 */
import type { BrowserAction, BrowserSeen, Failure } from '@countersign/tools'
import type { AddressPolicy } from '../egress/egress.ts'
import { failed } from '../hands/failed.ts'
import { goneText, perform } from './deed.ts'
import { type BrowserProcess, openBrowser } from './process.ts'
import { type BrowserProbe, probeBrowser } from './program.ts'
import type { ReachPlace } from './reach.ts'
import { openVisit, type Visit } from './visit.ts'

export interface BrowserRoomParts {
  /** Where profiles are made. Others must be able to pass through when the executor is root. */
  readonly folder: string
  readonly policy: AddressPolicy
  readonly limits?: Partial<RoomLimits>
  readonly probe?: () => Promise<BrowserProbe>
}

export interface RoomLimits {
  readonly pages: number
  readonly idleMs: number
  /** How long after its time an action may still come to an end by itself. */
  readonly graceMs: number
}

export interface BrowserCall {
  readonly session: string
  readonly action: BrowserAction
  /** What the permit adds to what the session may reach. */
  readonly opens: readonly ReachPlace[]
}

export interface BrowserRoom {
  /** Resolves even on failure. Calls of one session follow each other. */
  act(call: BrowserCall, timeoutMs: number, signal: AbortSignal): Promise<BrowserSeen | Failure>
  /** The process of the browser, while there is one. */
  pid(): number | undefined
  close(): Promise<void>
}

interface Guest {
  visit: Visit
  busy: boolean
  usedAt: number
  idle: NodeJS.Timeout | undefined
}

export function createBrowserRoom(parts: BrowserRoomParts): BrowserRoom {
  const limits: RoomLimits = { pages: 4, idleMs: 10 * 60_000, graceMs: 2_000, ...parts.limits }
  const probe = parts.probe ?? (() => probeBrowser())
  const guests = new Map<string, Guest>()
  const lanes = new Map<string, Promise<unknown>>()
  let running: Promise<BrowserProcess> | undefined
  let process: BrowserProcess | undefined
  let door: Promise<unknown> = Promise.resolve()
  let entering = 0
  let uses = 0
  let closed = false

  const start = async (): Promise<BrowserProcess> => {
    const program = await probe()
    if (program.kind === 'unavailable') throw new Error(`${program.reason} Install it: ${program.fix}`)
    return openBrowser({ program, folder: parts.folder })
  }
  const browser = async (): Promise<BrowserProcess> => {
    if (process && !process.isOpen()) await process.close()
    running ??= start()
    const mine = running
    try {
      const opened = await mine
      if (process !== opened) {
        process = opened
        void opened.ended.then(() => forget(mine, opened))
      }
      return opened
    } catch (error) {
      if (running === mine) running = undefined
      throw error
    }
  }
  const forget = (promise: Promise<BrowserProcess>, ended: BrowserProcess): void => {
    if (running === promise) running = undefined
    if (process !== ended) return
    process = undefined
    for (const session of guests.keys()) void dismiss(session)
  }
  /** A page that does not go takes the whole browser with it. */
  const dismiss = async (session: string): Promise<void> => {
    const guest = guests.get(session)
    if (!guest) return
    guests.delete(session)
    clearTimeout(guest.idle)
    const isShut = await within(limits.graceMs, guest.visit.close())
    if (!isShut || guest.visit.isLost()) await process?.close()
    else await closeIfEmpty()
  }
  const closeIfEmpty = async (): Promise<void> => {
    if (guests.size === 0 && entering === 0) await process?.close()
  }
  const makeSpace = async (): Promise<void> => {
    if (guests.size < limits.pages) return
    const idle = [...guests].filter(([, { busy }]) => !busy)
    const [oldest] = idle.toSorted(([, left], [, right]) => left.usedAt - right.usedAt)
    if (!oldest) throw new Error(`All ${limits.pages} pages of the browser are in use. Try again later.`)
    await dismiss(oldest[0])
  }
  const enter = async (session: string): Promise<Guest> => {
    await dismiss(session)
    await makeSpace()
    const opened = await browser()
    const visit = await openVisit(opened, parts.policy)
    const guest: Guest = { visit, busy: true, usedAt: 0, idle: undefined }
    guests.set(session, guest)
    return guest
  }
  /** One enters at a time, so that the room is never too full. */
  const admit = async (session: string): Promise<Guest> => {
    const known = guests.get(session)
    if (known && !known.visit.isGone()) {
      known.busy = true
      clearTimeout(known.idle)
      return known
    }
    entering += 1
    const entry = door.then(() => enter(session))
    door = entry.catch(() => undefined)
    try {
      return await entry
    } finally {
      entering -= 1
      await closeIfEmpty()
    }
  }
  const serve = async (
    { session, action, opens }: BrowserCall,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<BrowserSeen | Failure> => {
    if (closed) return failed('The browser is closed.')
    if (signal.aborted) return failed('Cancelled. Nothing was done.')
    if (action.action !== 'navigate' && !guests.has(session))
      return failed('No page is open. Call browser_navigate first. Nothing was done.')
    let guest: Guest
    try {
      guest = await admit(session)
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error))
    }
    guest.visit.reach.add(opens)
    const end = await firstOf(perform(guest.visit, action, timeoutMs), timeoutMs + limits.graceMs, signal)
    guest.busy = false
    uses += 1
    guest.usedAt = uses
    if (end.kind === 'done' && !guest.visit.isGone()) {
      guest.idle = setTimeout(() => void dismiss(session), limits.idleMs).unref()
      return end.value
    }
    await dismiss(session)
    if (end.kind === 'done') return end.value.kind === 'failed' ? end.value : failed(goneText(action))
    const reason = end.kind === 'cancelled' ? 'Cancelled' : 'The page did not answer in time'
    return failed(`${reason}, and was closed. What it was asked to do may have been done.`)
  }
  return {
    act(call, timeoutMs, signal) {
      const turn = (lanes.get(call.session) ?? Promise.resolve()).then(() => serve(call, timeoutMs, signal))
      lanes.set(call.session, turn)
      void turn.finally(() => {
        if (lanes.get(call.session) === turn) lanes.delete(call.session)
      })
      return turn
    },
    pid: () => process?.pid,
    async close() {
      closed = true
      await Promise.all([...guests.keys()].map(dismiss))
      const opened = await running?.catch(() => undefined)
      await opened?.close()
    },
  }
}

type End<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'late' | 'cancelled' }

async function firstOf<T>(work: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<End<T>> {
  const { promise, resolve } = Promise.withResolvers<End<T>>()
  const onAbort = () => resolve({ kind: 'cancelled' })
  const timer = setTimeout(() => resolve({ kind: 'late' }), timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  work.then(
    (value) => resolve({ kind: 'done', value }),
    () => resolve({ kind: 'late' }),
  )
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Whether the work came to its end in time. It goes on otherwise, and nobody waits for it. */
async function within(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  return (await firstOf(work, timeoutMs, new AbortController().signal)).kind === 'done'
}
