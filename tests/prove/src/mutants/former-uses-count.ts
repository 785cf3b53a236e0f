/** Whatever was used under a name counts for what has it now. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'views/src/extension-use.ts',
    from: 'or ended_at >= added.at::timestamptz',
    to: 'or added.at is not null',
  },
])
