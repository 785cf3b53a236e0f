/** Owns the table of the routes of the feed. */
import { z } from 'zod'
import { FeedMade, FeedView, MakeFeed } from '../api-feed.ts'
import { define } from './define.ts'

const FeedQuery = z.object({
  since: z.iso.datetime({ offset: true }).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(7),
})

export const feedRoutes = {
  feeds: define('get', '/v1/feed', 'Digests, newest first.', z.array(FeedView), {
    query: FeedQuery,
  }),
  makeFeed: define('post', '/v1/feed', 'Writes a digest of what happened since the last one.', FeedMade, {
    body: MakeFeed,
  }),
}
