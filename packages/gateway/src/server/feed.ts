/** Owns the routes of the feed. */

import type { Assistant } from '@countersign/assistant'
import { FeedMade, FeedView, MakeFeed } from '@countersign/contract'
import type { RecordTransactions } from '@countersign/kernel'
import { z } from '@hono/zod-openapi'
import { type App, route } from './route.ts'

export interface FeedParts {
  readonly feed: Assistant['services']['feed']
  readonly records: Pick<RecordTransactions, 'read' | 'change'>
}

const FeedQuery = z.object({
  since: z.iso.datetime({ offset: true }).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(7),
})

export function addFeedRoutes(app: App, { feed, records }: FeedParts): void {
  app.openapi(
    route('get', '/v1/feed', 'Digests, newest first.', z.array(FeedView), { query: FeedQuery }),
    async (context) => {
      const { operator } = context.get('speaker')
      const { since, limit } = context.req.valid('query')
      const views = await records.read(operator, (tx) =>
        feed.list(tx, { limit, ...(since === undefined ? {} : { since }) }),
      )
      return context.json(views, 200)
    },
  )
  app.openapi(
    route('post', '/v1/feed', 'Writes a digest of what happened since the last one.', FeedMade, {
      body: MakeFeed,
    }),
    async (context) => {
      const { worded } = context.req.valid('json')
      const { operator, actor } = context.get('speaker')
      const { value, ledger } = await records.change(operator, (tx) =>
        feed.make(tx, {
          requester: { kind: 'operator', id: actor.id },
          worded,
        }),
      )
      return context.json({ feed: value, ledger }, 200)
    },
  )
}
