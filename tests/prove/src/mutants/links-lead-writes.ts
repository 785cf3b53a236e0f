/** A path counts as it is written, and links on the way are followed by every tool. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: "const where = { path: names.join('/') || '.', besideHead, repository }",
    to: 'const where = { path: request.path, besideHead: false, repository }',
  },
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: "how === 'look' ? 'followed' : 'refused'",
    to: "'followed'",
  },
])
