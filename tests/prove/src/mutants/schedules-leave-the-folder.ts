/** A plan that a schedule carries out is held to nothing but the agent of plans. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/agents/lineage.ts',
    from: 'return parent !== null || schedule !== null',
    to: 'return parent !== null',
  },
])
