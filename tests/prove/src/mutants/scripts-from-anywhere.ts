/** A script need not be a file of the skill. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/run-skill-script.ts',
    from: 'if (!files.some(({ path }) => path === script))',
    to: 'if (files.length === 0)',
  },
])
