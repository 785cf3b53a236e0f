/** The shell says that it does nothing, and that all it does can be listed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'tools/src/code/execute-shell.ts', from: 'floor: 3,', to: 'floor: 0,' },
  { file: 'tools/src/code/execute-shell.ts', from: 'effects: [executeEffect(command)]', to: 'effects: []' },
  {
    file: 'tools/src/code/execute-shell.ts',
    from: 'execResource(shell, shellArgv(command), location.path, inspect, true)',
    to: 'execResource(shell, shellArgv(command), location.path, inspect, false)',
  },
])
