/** A program that opens a file can change itself and its libraries, for all that come after it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/bubblewrap.ts',
    from: "of instead) plan.push(write ? '--bind' : '--ro-bind', from, at)",
    to: "of instead) plan.push(write === false ? '--ro-bind' : '--bind', from, at)",
  },
])
