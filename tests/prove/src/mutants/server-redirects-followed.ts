/** A server at an address may lead to another address of its host. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/egress-transport.ts',
    from: "redirects: 'refused'",
    to: "redirects: 'same-host'",
  },
])
