/** What was asked for once is asked for from then on, if the newer words ask for nothing. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/task-so-far.ts',
    from: 'await findList(db, run, words.last)',
    to: `(await import('../asked-for/lists.ts').then(({ listsOf }) => listsOf(db, session))).at(-1)`,
  },
])
