/** What a program is given to look at it may write. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/bubblewrap.ts',
    from: "mounts) plan.push('--ro-bind', from, at)",
    to: "mounts) plan.push('--bind', from, at)",
  },
])
