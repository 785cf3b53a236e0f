/** A skill that names one script is let run every script whose name is a part of that. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/run-skill-script.ts',
    from: 'wordsIn(pattern).includes(script)',
    to: 'pattern.includes(script)',
  },
])
