/** Owns the routes of what is live: the gateway's own state, its hash, and the events of a session or a run. */
import {
  CountersignError,
  GatewayEvent,
  LiveHash,
  LiveSnapshot,
  liveText,
  type OperatorId,
  RunId,
  SessionId,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { Views } from '@countersign/views'
import { z } from '@hono/zod-openapi'
import type { Live } from '../live/live.ts'
import { type App, route } from './route.ts'

export interface LiveParts {
  readonly live: Pick<Live, 'now' | 'at'>
  readonly views: Pick<Views, 'sessionEvents' | 'runEvents'>
}

const number = z.coerce.number().int().min(0)
const limit = z.coerce.number().int().min(1).max(1_000).default(500)

export function addLiveRoutes(app: App, { live, views }: LiveParts): void {
  const hashAt = async (operator: OperatorId, at: number | undefined): Promise<LiveHash> => {
    const state = at === undefined ? await live.now(operator) : await live.at(operator, at)
    if (at !== undefined && state.seq !== at)
      throw new CountersignError('not_found', `Event ${at} is no longer in the log.`)
    return { seq: state.seq, hash: sha256Hex(liveText(state)) }
  }

  app.openapi(
    route(
      'get',
      '/v1/live',
      'The current state that a surface shows, with the event to continue from.',
      LiveSnapshot,
    ),
    async (context) => {
      const state = await live.now(context.get('speaker').operator)
      return context.json({ seq: state.seq, state, hash: sha256Hex(liveText(state)) }, 200)
    },
  )
  app.openapi(
    route('get', '/v1/live/hash', 'The SHA-256 of that state, now or after an earlier event.', LiveHash, {
      query: z.object({ at: number.optional() }),
    }),
    async (context) =>
      context.json(await hashAt(context.get('speaker').operator, context.req.valid('query').at), 200),
  )
  app.openapi(
    route(
      'get',
      '/v1/sessions/{id}/events',
      'The last events of a session before a number, oldest first.',
      z.array(GatewayEvent),
      { params: z.object({ id: SessionId }), query: z.object({ before: number.optional(), limit }) },
    ),
    async (context) => {
      const { operator } = context.get('speaker')
      const { id } = context.req.valid('param')
      return context.json(await views.sessionEvents(operator, id, context.req.valid('query')), 200)
    },
  )
  app.openapi(
    route(
      'get',
      '/v1/runs/{id}/events',
      'The events of a run after a number, oldest first.',
      z.array(GatewayEvent),
      { params: z.object({ id: RunId }), query: z.object({ since: number.default(0), limit }) },
    ),
    async (context) => {
      const { operator } = context.get('speaker')
      const { id } = context.req.valid('param')
      return context.json(await views.runEvents(operator, id, context.req.valid('query')), 200)
    },
  )
}
