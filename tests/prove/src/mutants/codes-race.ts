/** Two devices that use a code at once do not see each other. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/peers.ts',
    from: `    .forUpdate()
    .executeTakeFirst()
  if (!asking)`,
    to: `    .executeTakeFirst()
  if (!asking)`,
  },
])
