/** What a tool brings in leaves the run as trusted as it was. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/execute-permits.ts',
    from: 'const label = [...origins, ...brought].reduce(joinLabels, run.label)',
    to: 'const label = [...origins, ...brought.slice(0, 0)].reduce(joinLabels, run.label)',
  },
])
