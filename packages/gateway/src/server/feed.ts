/** Owns the routes of the feed. */

import type { Assistant } from '@countersign/assistant'
import { feedRoutes } from '@countersign/contract/routes'
import type { RecordTransactions } from '@countersign/kernel'
import { type App, route } from './route.ts'

export interface FeedParts {
  readonly feed: Assistant['services']['feed']
  readonly records: Pick<RecordTransactions, 'read' | 'change'>
}

export function addFeedRoutes(app: App, { feed, records }: FeedParts): void {
  app.openapi(route(feedRoutes.feeds), async (context) => {
    const { operator } = context.get('speaker')
    const { since, limit } = context.req.valid('query')
    const views = await records.read(operator, (tx) =>
      feed.list(tx, { limit, ...(since === undefined ? {} : { since }) }),
    )
    return context.json(views, 200)
  })
  app.openapi(route(feedRoutes.makeFeed), async (context) => {
    const { worded } = context.req.valid('json')
    const { operator, actor } = context.get('speaker')
    const { value, ledger } = await records.change(operator, (tx) =>
      feed.make(tx, {
        requester: { kind: 'operator', id: actor.id },
        worded,
      }),
    )
    return context.json({ feed: value, ledger }, 200)
  })
}
