/** What another computer says of a call that it did not do counts as the gateway's own words. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/nodes/node-answers.ts',
    from: "if (reply.kind === 'invalid') return { ...reply, reason: words(reply.reason, longestReason), by: 'node' }",
    to: "if (reply.kind === 'invalid') return { ...reply, reason: words(reply.reason, longestReason) }",
  },
])
