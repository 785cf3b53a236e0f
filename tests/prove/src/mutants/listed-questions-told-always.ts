/** A model is told the free questions whenever it asks another one. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/asked-for/lists.ts',
    from: "list.or([list('told_turn', 'is', null), list('told_turn', '=', turn)])",
    to: "list.or([list('told_turn', 'is', null), list('told_turn', '<=', turn)])",
  },
])
