/** What a simulation answers with is worth the same wherever it was recorded. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/history/simulation.ts',
    from: '{ instead: recorded.result_text, label: recorded.label }',
    to: '{ instead: recorded.result_text, label: operatorLabel }',
  },
])
