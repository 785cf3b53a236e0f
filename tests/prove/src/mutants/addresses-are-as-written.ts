/** An address of a server is written in any way that a browser takes. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/written-address.ts',
    from: "if (origin === undefined || origin === 'null' || !/^[\\x21-\\x7e]+$/.test(text)) return false",
    to: 'if (origin !== undefined) return true',
  },
])
