/** Why a script is not run is told in words of the skill. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/run-skill-script.ts',
    from: 'do not cover running ${script}. use_skill tells which.',
    to: 'do not cover running ${script}: ${allowedTools.join()}',
  },
])
