/** The words of a skill are no stranger’s, reviewed or not. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/skill-labels.ts',
    from: 'return reviewed\n',
    to: "return name !== ''\n",
  },
])
