/** A skill that names its tools has every script run. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/run-skill-script.ts',
    from: 'if (allowedTools !== null && !allowedTools.some(',
    to: 'if (allowedTools !== null && allowedTools.length === 201 && !allowedTools.some(',
  },
])
