/** An undo brings back the marks that its own call covered, and no others. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-labels.ts',
    from: 'await markAgain(unit, undoes, written)',
    to: '',
  },
])
