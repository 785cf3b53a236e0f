/** A grant counts whatever the run has read. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/facts.ts',
    from: " && label.integrity !== 'untrusted'",
    to: ' && label !== undefined',
  },
])
