/** An agent writes in the place of a skill that the operator let in. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/proposal.ts',
    from: "if (skill && servedBy !== 'unknown' && !isOfSameOrigin(skill, { servedBy }))",
    to: "if (skill && name === '')",
  },
])
