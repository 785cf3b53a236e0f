/** The part of the typed client that speaks of what is live, and of the events it was made from. */
import { liveRoutes } from '../routes/live.ts'
import type { Call } from './call.ts'

export function liveCalls(call: Call) {
  return {
    live: () => call(liveRoutes.live),
    /** The SHA-256 of the gateway's own state after that event, or after the last one. */
    liveHash: (at?: number) => call(liveRoutes.liveHash, { query: { at } }),
    /** The last events of a session before a number, oldest first. */
    sessionEvents: (id: string, page: { before?: number; limit?: number } = {}) =>
      call(liveRoutes.sessionEvents, { params: { id }, query: page }),
    /** The events of a run after a number, oldest first. */
    runEvents: (id: string, page: { since?: number; limit?: number } = {}) =>
      call(liveRoutes.runEvents, { params: { id }, query: page }),
  }
}
