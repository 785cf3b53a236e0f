/** A skill may have the name of a server. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/add-skill.ts',
    from: 'if (taken !== undefined)',
    to: "if (taken === '')",
  },
])
