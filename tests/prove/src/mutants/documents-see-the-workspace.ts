/** A program that opens a file sees the workspace beside it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/bubblewrap.ts',
    from: '  else plan.push(...workspaceMounts(setup, service))',
    to: '  plan.push(...workspaceMounts(setup, service))',
  },
])
