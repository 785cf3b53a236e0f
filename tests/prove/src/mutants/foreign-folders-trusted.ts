/** A folder is used whoever owns it and whoever can write to it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/own-folder.ts',
    from: 'if (own === undefined) return null',
    to: 'if (own !== -1) return null',
  },
])
