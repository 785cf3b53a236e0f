/**
 * Owns how often strangers may try: each sender, and everybody elsewhere together. This computer counts by itself, so
 * that nobody elsewhere can use up what is left for it. Remembers a bounded number of senders.
 */
import { CountersignError } from '@countersign/contract'
import { thisComputer } from './request-place.ts'

export interface SenderRate {
  /** Throws where there were too many. */
  take(sender: string): void
  /** Throws where this sender alone had too many. Counts nothing. */
  check(sender: string): void
}

const mostSenders = 1_000
const minuteMs = 60_000

export function createSenderRate(
  clock: () => Date,
  most: { readonly each: number; readonly elsewhere: number; readonly told: string },
): SenderRate {
  const taken = new Map<string, readonly number[]>()
  let elsewhere: readonly number[] = []

  function recent(times: readonly number[], now: number): readonly number[] {
    return times.filter((at) => Math.abs(now - at) < minuteMs)
  }

  function tooMany(): CountersignError {
    return new CountersignError('limit_reached', most.told, { next: 'Wait a minute, then try again.' })
  }

  return {
    check(sender) {
      if (recent(taken.get(sender) ?? [], clock().getTime()).length >= most.each) throw tooMany()
    },
    take(sender) {
      const now = clock().getTime()
      const own = recent(taken.get(sender) ?? [], now)
      elsewhere = recent(elsewhere, now)
      const isLocal = sender === thisComputer
      if (own.length >= most.each || (!isLocal && elsewhere.length >= most.elsewhere)) throw tooMany()
      if (!isLocal) elsewhere = [...elsewhere, now]
      remember(taken, sender, [...own, now])
    },
  }
}

/** The newest last; with too many, the one that was quiet for longest goes. */
export function remember<Value>(known: Map<string, Value>, sender: string, value: Value): void {
  known.delete(sender)
  known.set(sender, value)
  for (const oldest of known.keys()) {
    if (known.size <= mostSenders) return
    known.delete(oldest)
  }
}
