/** The shell says that it does nothing, and that all it does can be listed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/code/execute-shell.ts',
    from: 'effects: [programEffect(command, inspect)]',
    to: 'effects: []',
  },
  {
    file: 'tools/src/code/execute-shell.ts',
    from: 'viewedProgram(shell, shellArgv(command), location.path, inspect, view)',
    to: 'execResource(shell, shellArgv(command), location.path, inspect, false)',
  },
])
