/** Any folder is taken for a workspace, and nothing in it is hidden but what the executor keeps for itself. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/workspace-location.ts',
    from: 'for (const folder of [...own, ...program]) {',
    to: 'for (const folder of [] as string[]) {',
  },
  { file: 'executor/src/executor.ts', from: ', ...options.own])', to: '])' },
])
