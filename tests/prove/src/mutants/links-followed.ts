/** A link at the end of a path is taken for what it leads to. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: "return fs.lstatSync(name === ''",
    to: "return fs.statSync(name === ''",
  },
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: 'O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = fs.constants',
    to: 'O_DIRECTORY, O_NONBLOCK } = fs.constants\n  const O_NOFOLLOW = 0',
  },
])
