/** A program whose end nobody saw counts as one that wrote nothing. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-labels.ts',
    from: "(writes.traced?.changed ?? ['.'])",
    to: '(writes.traced?.changed ?? [])',
  },
])
