/** The part of the typed client that speaks of the feed. */
import { feedRoutes } from '../routes/feed.ts'
import type { Call } from './call.ts'

export function feedCalls(call: Call) {
  return {
    feeds: (filter: { since?: string; limit?: string } = {}) => call(feedRoutes.feeds, { query: filter }),
    makeFeed: (worded: boolean) => call(feedRoutes.makeFeed, { body: { worded } }),
  }
}
