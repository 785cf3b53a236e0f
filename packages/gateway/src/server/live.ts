/** Owns the routes of what is live: the gateway's own state, its hash, and the events of a session or a run. */
import { CountersignError, type LiveHash, liveText, type OperatorId } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { liveRoutes } from '@countersign/contract/routes'
import type { Views } from '@countersign/views'
import type { Live } from '../live/live.ts'
import { type App, route } from './route.ts'

export interface LiveParts {
  readonly live: Pick<Live, 'now' | 'at'>
  readonly views: Pick<Views, 'sessionEvents' | 'runEvents'>
}

export function addLiveRoutes(app: App, { live, views }: LiveParts): void {
  const hashAt = async (operator: OperatorId, at: number | undefined): Promise<LiveHash> => {
    const state = at === undefined ? await live.now(operator) : await live.at(operator, at)
    if (at !== undefined && state.seq !== at)
      throw new CountersignError('not_found', `Event ${at} is no longer in the log.`)
    return { seq: state.seq, hash: sha256Hex(liveText(state)) }
  }

  app.openapi(route(liveRoutes.live), async (context) => {
    const state = await live.now(context.get('speaker').operator)
    return context.json({ seq: state.seq, state, hash: sha256Hex(liveText(state)) }, 200)
  })
  app.openapi(route(liveRoutes.liveHash), async (context) =>
    context.json(await hashAt(context.get('speaker').operator, context.req.valid('query').at), 200),
  )
  app.openapi(route(liveRoutes.sessionEvents), async (context) => {
    const { operator } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(await views.sessionEvents(operator, id, context.req.valid('query')), 200)
  })
  app.openapi(route(liveRoutes.runEvents), async (context) => {
    const { operator } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(await views.runEvents(operator, id, context.req.valid('query')), 200)
  })
}
