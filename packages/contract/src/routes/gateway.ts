/** Owns the table of the routes of the gateway itself: its state, its events, and the pause. */
import { z } from 'zod'
import { Health, LimitGroup, Receipt, Status } from '../api.ts'
import { GatewayEvent } from '../events.ts'
import { define } from './define.ts'

export const gatewayRoutes = {
  health: define('get', '/v1/health', 'Whether the gateway is up. Needs no signature.', Health),
  status: define('get', '/v1/status', 'The state of the gateway and pending decisions.', Status),
  limits: define('get', '/v1/limits', 'Every limit that holds.', z.array(LimitGroup)),
  events: define('get', '/v1/events', 'Events after a number, oldest first.', z.array(GatewayEvent), {
    query: z.object({
      since: z.coerce.number().int().min(0),
      limit: z.coerce.number().int().min(1).max(1_000).default(500),
    }),
  }),
  pause: define('post', '/v1/pause', 'Pauses everything.', Receipt),
  resume: define('post', '/v1/resume', 'Resumes after a pause.', Receipt),
}
