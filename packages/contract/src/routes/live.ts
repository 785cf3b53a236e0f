/** Owns the table of the routes of what is live. */
import { z } from 'zod'
import { GatewayEvent } from '../events.ts'
import { RunId, SessionId } from '../ids.ts'
import { LiveHash, LiveSnapshot } from '../live/state.ts'
import { define } from './define.ts'

const number = z.coerce.number().int().min(0)
const limit = z.coerce.number().int().min(1).max(1_000).default(500)

export const liveRoutes = {
  live: define(
    'get',
    '/v1/live',
    'The current state that a surface shows, with the event to continue from.',
    LiveSnapshot,
  ),
  liveHash: define(
    'get',
    '/v1/live/hash',
    'The SHA-256 of that state, now or after an earlier event.',
    LiveHash,
    {
      query: z.object({ at: number.optional() }),
    },
  ),
  sessionEvents: define(
    'get',
    '/v1/sessions/{id}/events',
    'The last events of a session before a number, oldest first.',
    z.array(GatewayEvent),
    { params: z.object({ id: SessionId }), query: z.object({ before: number.optional(), limit }) },
  ),
  runEvents: define(
    'get',
    '/v1/runs/{id}/events',
    'The events of a run after a number, oldest first.',
    z.array(GatewayEvent),
    { params: z.object({ id: RunId }), query: z.object({ since: number.default(0), limit }) },
  ),
}
