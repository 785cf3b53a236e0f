/** Whoever asked is answered as who they were when they asked. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/programs/answer-question.ts',
    from: 'standingOf(tx, await currentProgram(tx, program), key))',
    to: 'standingOf(tx, program, key))',
  },
  {
    file: 'gateway/src/programs/answer-question.ts',
    from: 'const now = await currentProgram(tx, program)\n    const row',
    to: 'const now = program\n    const row',
  },
])
