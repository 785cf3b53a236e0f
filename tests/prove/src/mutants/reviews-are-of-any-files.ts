/** A card of other files reviews a skill. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/skill-card.ts',
    from: 'return skill?.tree === treeHash(files) ? skill',
    to: 'return skill?.tree !== treeHash([]) ? skill',
  },
])
