/** The review of a skill holds for what takes its place. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/add-skill.ts',
    from: 'reviewed: false,',
    to: 'reviewed: before?.reviewed ?? false,',
  },
])
