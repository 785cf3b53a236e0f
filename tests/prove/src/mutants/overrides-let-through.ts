/** The marks that turn the direction of writing are taken for harmless. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/display/sanitise.ts',
    from: String.raw`\\u2028-\\u202e`,
    to: String.raw`\\u2028-\\u2029`,
  },
])
