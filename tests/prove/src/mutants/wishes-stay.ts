/** What was asked for stays asked for, though it was taken back. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/task-so-far.ts',
    from: 'list && list.takenBackAt === null ? list : null',
    to: 'list ?? null',
  },
  {
    file: 'kernel/src/dispatch/authorize.ts',
    from: 'asked !== null && !(await stillStands(unit, asked.plan))',
    to: 'asked !== null && (await stillStands(unit, asked.plan)) === undefined',
  },
])
