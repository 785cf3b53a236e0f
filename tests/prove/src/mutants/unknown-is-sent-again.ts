/** What may have arrived is sent again, also where the platform takes no key. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/outbox.ts',
    from: `        return sending.manifest.sendsOnce || isChange`,
    to: `        return true`,
  },
  {
    file: 'gateway/src/channels/outbox.ts',
    from: `    if (manifest.sendsOnce || row.changes !== null)`,
    to: `    if (true)`,
  },
])
