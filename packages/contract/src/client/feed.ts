/** The part of the typed client that speaks of the feed. */
import { z } from 'zod'
import { FeedMade, FeedView } from '../api-feed.ts'
import { type Call, query } from './call.ts'

export function feedCalls(call: Call) {
  return {
    feeds: (filter: { since?: string; limit?: string } = {}) =>
      call(z.array(FeedView), 'GET', `/v1/feed${query(filter)}`),
    makeFeed: (worded: boolean) => call(FeedMade, 'POST', '/v1/feed', { worded }),
  }
}
