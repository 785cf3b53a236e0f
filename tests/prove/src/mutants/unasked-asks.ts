/** What nobody asked for is asked about, one by one. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/unasked.ts',
    from: "return kind === 'ask' ? (task?.unasked ?? null) : null",
    to: "return kind === 'ask' && task === undefined ? '' : null",
  },
])
