/**
 * Owns the browsers of an executor, one for each session. A browser starts with the first page of its session and ends
 * when the page was not used for long. Refuses more browsers than the pool holds, and anything after it was closed.
 */
import { joinLabels, type Label, operatorLabel } from '@countersign/contract'
import type { BrowserAction, BrowserResult, Failure } from '@countersign/tools'
import { failure } from '../capabilities/failure.ts'
import type { AddressPolicy } from '../egress/egress.ts'
import { goneText } from './page-action.ts'
import { nothingOpen } from './page-address.ts'
import { openBrowser } from './process.ts'
import { type BrowserProbe, probeBrowser } from './program.ts'
import type { HostPort } from './reach.ts'
import { isRead } from './reading.ts'
import { createSessionBrowser, type SessionBrowser } from './session-browser.ts'

export interface BrowserPoolParts {
  /** Where profiles are made. Others must be able to pass through when the executor is root. */
  readonly folder: string
  readonly policy: AddressPolicy
  readonly limits?: Partial<BrowserPoolLimits>
  readonly probe?: () => Promise<BrowserProbe>
}

export interface BrowserPoolLimits {
  readonly browsers: number
  readonly idleMs: number
  /** How long after its time an action may still come to an end by itself. */
  readonly graceMs: number
}

export interface BrowserCall {
  readonly session: string
  readonly action: BrowserAction
  /** What the permit lets the page reach, for this call alone. */
  readonly opens: readonly HostPort[]
  /** What whoever acts knows. */
  readonly label: Label
}

export interface BrowserPool {
  /** Resolves even on failure. Calls of one session follow each other. */
  act(call: BrowserCall, timeoutMs: number, signal: AbortSignal): Promise<BrowserResult | Failure>
  /** The process of a session's browser, while there is one. */
  pid(session: string): number | undefined
  close(): Promise<void>
}

interface OpenBrowser {
  readonly browser: SessionBrowser
  busy: boolean
  usedAt: number
  idle: NodeJS.Timeout | undefined
  /** What those knew who acted on it. */
  knows: Label
}

export function createBrowserPool(parts: BrowserPoolParts): BrowserPool {
  const limits: BrowserPoolLimits = { browsers: 4, idleMs: 10 * 60_000, graceMs: 4_000, ...parts.limits }
  const probe = parts.probe ?? (() => probeBrowser())
  const guests = new Map<string, OpenBrowser>()
  const lanes = new Map<string, Promise<unknown>>()
  let door: Promise<unknown> = Promise.resolve()
  let uses = 0
  let closed = false

  const dismiss = async (session: string, which = guests.get(session)): Promise<void> => {
    if (!which || guests.get(session) !== which) return
    guests.delete(session)
    clearTimeout(which.idle)
    await which.browser.close()
  }
  const makeSpace = async (): Promise<void> => {
    if (guests.size < limits.browsers) return
    const idle = [...guests].filter(([, { busy }]) => !busy)
    const [oldest] = idle.toSorted(([, left], [, right]) => left.usedAt - right.usedAt)
    if (!oldest) throw new Error(`All ${limits.browsers} browsers are in use. Try again later.`)
    await dismiss(oldest[0])
  }
  const enter = async (session: string): Promise<OpenBrowser> => {
    await dismiss(session)
    await makeSpace()
    const program = await probe()
    if (program.kind === 'unavailable') throw new Error(`${program.reason} Install it: ${program.fix}`)
    const opened = await openBrowser({ program, folder: parts.folder })
    if (closed) {
      await opened.close()
      throw new Error(closedText)
    }
    const browser = createSessionBrowser(opened, parts.policy)
    const guest: OpenBrowser = { browser, busy: true, usedAt: 0, idle: undefined, knows: operatorLabel }
    guests.set(session, guest)
    void opened.ended.then(() => dismiss(session, guest))
    return guest
  }
  /** One enters at a time, so that the room is never too full. */
  const admit = async (session: string): Promise<OpenBrowser> => {
    const known = guests.get(session)
    if (known && !known.browser.isGone()) return known
    const entry = door.then(() => enter(session))
    door = entry.catch(() => undefined)
    return entry
  }
  const rest = (session: string, guest: OpenBrowser): void => {
    guest.busy = false
    uses += 1
    guest.usedAt = uses
    guest.idle = setTimeout(() => void dismiss(session, guest), limits.idleMs).unref()
  }
  const serve = async (
    { session, action, opens, label }: BrowserCall,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<BrowserResult | Failure> => {
    if (closed) return failure(closedText)
    if (signal.aborted) return failure('Cancelled. Nothing was done.')
    if (action.action !== 'navigate' && !guests.has(session)) return failure(nothingOpen)
    let guest: OpenBrowser
    try {
      guest = await admit(session)
    } catch (error) {
      return failure(error instanceof Error ? error.message : String(error))
    }
    guest.busy = true
    clearTimeout(guest.idle)
    if (isRead(action)) {
      const seen = await guest.browser.read(action, signal)
      rest(session, guest)
      return knowing(seen, guest)
    }
    guest.knows = joinLabels(guest.knows, label)
    const work = guest.browser.act(action, opens, timeoutMs)
    const end = await firstOf(work, timeoutMs + limits.graceMs, signal)
    if (end.kind === 'done' && !guest.browser.isGone()) {
      rest(session, guest)
      return knowing(end.value, guest)
    }
    await dismiss(session, guest)
    if (end.kind === 'done') return end.value.kind === 'failed' ? end.value : failure(goneText(action))
    const reason = end.kind === 'cancelled' ? 'Cancelled' : 'The page did not answer in time'
    return failure(`${reason}, and was closed. What it was asked to do may have been done.`)
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
    pid: (session) => guests.get(session)?.browser.pid,
    async close() {
      closed = true
      await door
      await Promise.all([...guests.keys()].map((session) => dismiss(session)))
    },
  }
}

const closedText = 'The browser is closed.'

function knowing(seen: BrowserResult | Failure, { knows }: OpenBrowser): BrowserResult | Failure {
  return seen.kind === 'failed' ? seen : { ...seen, knows }
}

type TimedEnd<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'late' | 'cancelled' }

async function firstOf<T>(work: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<TimedEnd<T>> {
  const { promise, resolve } = Promise.withResolvers<TimedEnd<T>>()
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
