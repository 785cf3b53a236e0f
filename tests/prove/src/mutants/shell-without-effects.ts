/** The shell says that it does nothing, and not even that it reads. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/code/execute-shell.ts',
    from: 'effects: [programEffect(command, inspect)]',
    to: 'effects: []',
  },
])
