/** The history of the operator's own repository is theirs, whatever was written into the folder, and git has files hidden from it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/hidden-files.ts',
    from: 'const theirs = own.filter((each) => !marked.some((path) => isWithin(path, each))).slice(0, mostHidden)',
    to: 'const theirs = own.slice(0, mostHidden)',
  },
  {
    file: 'kernel/src/dispatch/hidden-files.ts',
    from: "if (program.needs.includes('history')) return { hidden: [], own: theirs }",
    to: '',
  },
])
