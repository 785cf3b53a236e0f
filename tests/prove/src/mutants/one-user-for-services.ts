/** Every service of root runs as the same user. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/service-account.ts',
    from: 'const id = first[service] + ((start + step) % count)',
    to: 'const id = 55_999',
  },
])
