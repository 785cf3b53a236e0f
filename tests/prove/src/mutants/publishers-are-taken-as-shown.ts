/** Who signed what is there is taken as the caller of an update says it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/publisher.ts',
    from: 'if (was !== before) return',
    to: "if (was === '') return",
  },
])
