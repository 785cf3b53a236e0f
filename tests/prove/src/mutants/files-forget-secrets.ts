/** A file that was made from a secret is like any other. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-labels.ts',
    from: "return integrity === 'untrusted' || confidentiality === 'secret'",
    to: "return integrity === 'untrusted' && confidentiality !== undefined",
  },
])
