/** What is left of a conversation is worth the same whatever was said in it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/history/turns.ts',
    from: 'label: [...messages, ...runs].reduce((joined, { label }) => joinLabels(joined, label), operatorLabel)',
    to: 'label: [...messages, ...runs].reduce((joined, { label }) => (label ? joined : joined), operatorLabel)',
  },
])
