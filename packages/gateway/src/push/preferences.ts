/** Owns who is told of what: by its kind, and not in quiet hours unless it would be over before they end. Pure. */
import { goalQuietUntil, type NotificationKind, type PushPreferences } from '@countersign/contract'

export interface Occasion {
  readonly kind: NotificationKind
  /** When it can no longer be decided. */
  readonly expiresAt?: Date
}

/** A request that expires this soon comes through also in quiet hours. */
export const soonMs = 60 * 60_000

export function isWanted({ kinds, quiet }: PushPreferences, occasion: Occasion, now: Date): boolean {
  if (!kinds.includes(occasion.kind)) return false
  if (quiet === null || goalQuietUntil(quiet, now) === undefined) return true
  return occasion.expiresAt !== undefined && occasion.expiresAt.getTime() - now.getTime() <= soonMs
}
