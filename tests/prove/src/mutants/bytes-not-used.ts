/** The sealed bytes are compared, and the command runs with those of the host. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/capabilities/shell.ts',
    from: 'sandbox.layered ? { layers',
    to: 'false ? { layers',
  },
])
