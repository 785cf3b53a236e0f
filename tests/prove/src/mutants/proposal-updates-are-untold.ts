/** A new version that an agent wrote takes its place, and its card does not say what differs. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/review-proposed-skill.ts',
    from: '(before?.tree ?? null) !== (replaces?.tree ?? null)',
    to: "name === ''",
  },
  {
    file: 'tools/src/extensions/shown-files.ts',
    from: 'return changes === replaces?.changes ?',
    to: 'return changes === (replaces?.changes ?? changes) ?',
  },
])
