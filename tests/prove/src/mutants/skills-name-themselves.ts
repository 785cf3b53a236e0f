/** A skill has another name than the one that it is let in by. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/skills/skill-file.ts',
    from: 'if (data.name !== name)',
    to: 'if (data.name === undefined)',
  },
])
