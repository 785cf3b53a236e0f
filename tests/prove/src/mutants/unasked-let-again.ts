/** A held call stays in its row after it was let ask. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/asked-for/unasked.ts',
    from: `          .where('call_id', '=', call)
          .where('again_run_id', 'is', null),`,
    to: `          .where('call_id', '=', call),`,
  },
  {
    file: 'kernel/src/asked-for/unasked.ts',
    from: `    .where('call_id', '=', call)
    .where('again_run_id', 'is', null)`,
    to: `    .where('call_id', '=', call)`,
  },
])
