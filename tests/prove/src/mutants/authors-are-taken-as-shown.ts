/** A card may say of a skill that another agent wrote it, after reading something else. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/review-proposed-skill.ts',
    from: 'if (originKey(proposal) !== originKey({ writtenBy, servedBy }))',
    to: "if (name === '')",
  },
])
