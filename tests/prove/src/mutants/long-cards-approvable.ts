/** What does not fit into a chat can be approved there. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/display/chat-card.ts',
    from: 'isWhole && card.tier <= highestGatewayTier',
    to: 'card.tier <= highestGatewayTier',
  },
])
