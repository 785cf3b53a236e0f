/** The shell says that it does nothing, and may be of any tier. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'tools/src/code/execute-shell.ts', from: 'floor: 3,', to: 'floor: 0,' },
  { file: 'tools/src/code/execute-shell.ts', from: 'effects: [executeEffect(command)]', to: 'effects: []' },
])
