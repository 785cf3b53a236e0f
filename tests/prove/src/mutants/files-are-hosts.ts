/** Whatever has a dot in it is a host that the operator typed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/address-words.ts',
    from: "return fileEndings.has(host.slice(host.lastIndexOf('.') + 1)) ? undefined : host",
    to: 'return host',
  },
])
