/** A node is told the whole call for a look. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/devices/for-look.ts',
    from: 'return instead ? { ...args, ...instead } : args',
    to: 'return instead ? args : { ...args, ...instead }',
  },
])
