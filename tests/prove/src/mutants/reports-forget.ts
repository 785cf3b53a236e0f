/** What helpers report is worth the same whatever they read. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/tasks/report.ts',
    from: '(joined, label) => (label ? joinLabels(joined, label) : joined), operatorLabel)',
    to: '(joined, label) => (label ? joined : joined), operatorLabel)',
  },
])
