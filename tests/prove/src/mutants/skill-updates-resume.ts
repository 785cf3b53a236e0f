/** An update resumes a skill that was paused. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/add-skill.ts',
    from: 'enabled: before?.enabled ?? true',
    to: 'enabled: true',
  },
])
