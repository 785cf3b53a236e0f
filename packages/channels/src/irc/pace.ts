/** Owns how fast we write: a few lines at once, and then one after the other, as networks ask of everybody. */
import { setTimeout as pause } from 'node:timers/promises'

export interface Pace {
  /** Resolves when so many lines may go. Rejects when the channel ends. */
  wait(lines: number): Promise<void>
}

const atOnce = 4

export function createPace(pauseMs: number, signal: AbortSignal): Pace {
  /** When everything that was written is forgotten. */
  let busyUntil = 0
  return {
    async wait(lines) {
      const now = performance.now()
      busyUntil = Math.max(busyUntil, now) + lines * pauseMs
      const early = busyUntil - now - Math.max(atOnce, lines) * pauseMs
      if (early > 0) await pause(early, undefined, { signal })
    },
  }
}
