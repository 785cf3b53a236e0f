/** The proxy of a server lets it reach whatever the configuration allows. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-sandbox.ts',
    from: 'allow: (host, port) => named.has(`${host}:${port}`)',
    to: 'allow: () => true',
  },
])
