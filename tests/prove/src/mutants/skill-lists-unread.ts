/** The index of skills is taken as it is found. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/extensions.ts',
    from: 'for (const skill of [...index.skills, ...index.proposals]) checkTree(skill)',
    to: 'void checkTree',
  },
])
