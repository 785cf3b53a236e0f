/** The list of what a program changed leaves out what it removed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sealed/held-changes.ts',
    from: 'files: files.slice(0, mostShown),',
    to: "files: files.slice(0, mostShown).filter(({ change }) => change !== 'removed'),",
  },
])
