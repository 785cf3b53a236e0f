/** The requests of a coding agent do not wait for each other. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/coding-agents/model-door.ts',
    from: 'agent.prices ? last.then(pass) : pass()',
    to: 'pass()',
  },
])
