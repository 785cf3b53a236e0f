/** Nobody looks whether the folder of a file is a repository. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: "const where = { path: names.join('/') || '.', besideHead, repository }",
    to: "const where = { path: names.join('/') || '.', besideHead: false, repository }",
  },
])
