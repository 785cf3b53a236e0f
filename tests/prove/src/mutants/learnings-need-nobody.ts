/** What an agent wrote down for itself is told whatever it had read. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/agent-learnings.ts',
    from: '): boolean => label === null',
    to: '): boolean => label === null || label.sources.length >= 0',
  },
])
