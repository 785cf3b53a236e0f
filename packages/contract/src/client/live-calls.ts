/** The part of the typed client that speaks of what is live, and of the events it was made from. */
import { z } from 'zod'
import { GatewayEvent } from '../events.ts'
import { LiveHash, LiveSnapshot } from '../live/state.ts'
import { type Call, part, query } from './call.ts'

export function liveCalls(call: Call) {
  return {
    live: () => call(LiveSnapshot, 'GET', '/v1/live'),
    /** The SHA-256 of the gateway's own state after that event, or after the last one. */
    liveHash: (at?: number) =>
      call(LiveHash, 'GET', `/v1/live/hash${query({ at: at === undefined ? undefined : String(at) })}`),
    /** The last events of a session before a number, oldest first. */
    sessionEvents: (id: string, page: { before?: number; limit?: number } = {}) =>
      call(z.array(GatewayEvent), 'GET', `/v1/sessions/${part(id)}/events${pageQuery(page)}`),
    /** The events of a run after a number, oldest first. */
    runEvents: (id: string, page: { since?: number; limit?: number } = {}) =>
      call(z.array(GatewayEvent), 'GET', `/v1/runs/${part(id)}/events${pageQuery(page)}`),
  }
}

function pageQuery(page: Readonly<Record<string, number | undefined>>): string {
  return query(
    Object.fromEntries(
      Object.entries(page).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
    ),
  )
}
