/** The card of an update does not say that another key signed it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/publisher.ts',
    from: 'if (was !== undefined && before !== key)',
    to: "if (was === '')",
  },
])
