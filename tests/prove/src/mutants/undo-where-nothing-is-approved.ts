/** What was done is taken back from any chat of the operator, also where they may not approve. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/chat-acts.ts',
    from: `return notHere
          return said(() => undoIn(`,
    to: `highestGatewayTier
          return said(() => undoIn(`,
  },
])
