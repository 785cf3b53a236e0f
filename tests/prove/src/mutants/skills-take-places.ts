/** A skill takes the place of another one, and its card does not say so. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/add-skill.ts',
    from: 'if (!isSame || (before?.tree ?? null) !== (replaces?.tree ?? null))',
    to: "if (isSame && name === '')",
  },
  {
    file: 'tools/src/extensions/shown-files.ts',
    from: 'return changes === replaces?.changes ?',
    to: 'return changes === (replaces?.changes ?? changes) ?',
  },
])
