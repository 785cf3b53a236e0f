/** Links and devices in a tar are taken for files. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/skills/tar.ts',
    from: "type === '0' || type === '\\0'",
    to: "!kinds.has(type) || '12346'.includes(type)",
  },
])
