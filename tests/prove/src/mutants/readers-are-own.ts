/** What a reader tells in words counts as a tool's own. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/readers.ts',
    from: "answer.kind === 'value'\n",
    to: "answer.kind !== 'text' || answer.kind === 'text'\n",
  },
])
