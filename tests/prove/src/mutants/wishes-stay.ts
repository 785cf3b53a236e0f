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
    from: 'list !== null && !(await stillStands(unit, list))',
    to: 'list !== null && (await stillStands(unit, list)) === undefined',
  },
])
