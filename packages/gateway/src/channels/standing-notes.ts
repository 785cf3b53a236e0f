/**
 * Owns which changes of a channel's state are written down: those that last. A platform that comes and goes is not worth an
 * entry each time.
 */
import type { ChannelStanding } from './channel-process.ts'

export interface StandingNotes {
  note(channel: string, standing: ChannelStanding): void
  close(): void
}

const notedStates = ['connected', 'disconnected', 'rejected'] as const
export type NotedState = (typeof notedStates)[number]

export function createStandingNotes(parts: {
  /** How long a state holds before it is written down. */
  readonly lastsMs: number
  readonly write: (channel: string, state: NotedState, problem: string | null) => void
}): StandingNotes {
  const written = new Map<string, NotedState>()
  const timers = new Map<string, { readonly state: NotedState; readonly timer: NodeJS.Timeout }>()

  return {
    note(channel, { state, problem }) {
      const noted = notedStates.find((each) => each === state)
      const pending = timers.get(channel)
      if (noted === undefined || pending?.state === noted) return
      clearTimeout(pending?.timer)
      timers.delete(channel)
      if (written.get(channel) === noted) return
      const timer = setTimeout(() => {
        timers.delete(channel)
        written.set(channel, noted)
        parts.write(channel, noted, problem)
      }, parts.lastsMs).unref()
      timers.set(channel, { state: noted, timer })
    },
    close() {
      for (const { timer } of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
