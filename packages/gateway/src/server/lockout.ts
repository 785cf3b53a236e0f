/**
 * Owns who is kept out for a while: a sender elsewhere that failed again and again to prove anything. A device that
 * proves itself is let in all the same, so that nobody can lock the operator out. Tells the operator when it happens.
 */
import { CountersignError, type EventBody } from '@countersign/contract'
import type { EntryDraft } from '@countersign/kernel'
import { everybodyElsewhere, type RequestPlace } from './request-place.ts'
import { remember } from './sender-rate.ts'

export const lockoutLimits = {
  failures: 20,
  withinMs: 10 * 60_000,
  lastsMs: 15 * 60_000,
  /** More would only be noise. */
  toldPerHour: 6,
} as const

export interface LockedOut {
  readonly sender: string
  readonly failures: number
  readonly until: Date
}

export interface Lockout {
  /** Throws while this sender is kept out. */
  admit(place: RequestPlace): void
  failed(place: RequestPlace): void
}

export function createLockout(options: {
  readonly clock: () => Date
  readonly tell: (locked: LockedOut) => void
}): Lockout {
  const failures = new Map<string, readonly number[]>()
  const lockedUntil = new Map<string, number>()
  let told: readonly number[] = []
  const now = () => options.clock().getTime()

  function lock(sender: string, count: number): void {
    const until = now() + lockoutLimits.lastsMs
    failures.delete(sender)
    remember(lockedUntil, sender, until)
    told = told.filter((at) => now() - at < 60 * 60_000)
    if (told.length >= lockoutLimits.toldPerHour) return
    told = [...told, now()]
    options.tell({ sender, failures: count, until: new Date(until) })
  }

  return {
    admit({ origin, sender }) {
      const until = origin === null ? undefined : lockedUntil.get(sender)
      if (until !== undefined && now() < until)
        throw new CountersignError(
          'limit_reached',
          'There were too many failed attempts from this address.',
          {
            next: `Try again in ${Math.ceil((until - now()) / 60_000)} minutes.`,
          },
        )
    },
    failed({ origin, sender }) {
      if (origin === null || now() < (lockedUntil.get(sender) ?? 0)) return
      const recent = (failures.get(sender) ?? []).filter((at) => now() - at < lockoutLimits.withinMs)
      if (recent.length + 1 >= lockoutLimits.failures) lock(sender, recent.length + 1)
      else remember(failures, sender, [...recent, now()])
    },
  }
}

export function lockoutEntry({ sender, failures, until }: LockedOut): EntryDraft {
  const data = { sender, failures, until: until.toISOString() }
  return { type: 'access.locked_out', actor: { kind: 'gateway', id: 'gateway' }, data }
}

export function lockoutNotice({ sender, failures, until }: LockedOut): EventBody {
  const who = sender === everybodyElsewhere ? 'Somebody elsewhere' : sender
  const minute = until.toISOString().slice(11, 16)
  return {
    type: 'notice',
    about: 'access',
    text: `${who} failed ${failures} times to get in and is locked out until ${minute} UTC. Your own devices still get in. If it goes on, stop your proxy or take the origin out of publicOrigins.`,
  }
}
