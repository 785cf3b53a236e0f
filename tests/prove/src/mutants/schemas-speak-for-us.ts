/** The words of the schema of a server stand in a refusal as ours. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/canonicalize.ts',
    from: 'const told = tool.standsForHidden',
    to: 'const told = tool.standsForHidden === null',
  },
])
