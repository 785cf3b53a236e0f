/** Of what an agent wrote, files beside SKILL.md are reviewed by their hash. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/review-proposed-skill.ts',
    from: '      unshownFile(proposal, others) ??\n',
    to: '',
  },
])
