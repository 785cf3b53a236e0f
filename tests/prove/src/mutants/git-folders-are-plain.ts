/** A write into a git folder is a write like any other. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  { file: 'tools/src/files/host-run.ts', from: "'.git/**'", to: "'.never/**'" },
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: "const where = { path: names.join('/') || '.', besideHead, repository }",
    to: "const where = { path: names.join('/') || '.', besideHead: false, repository }",
  },
])
