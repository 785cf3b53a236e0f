/** Kept files are started without a look at what they are by now. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/tree-store.ts',
    from: "return found.sha256 === sha256 ? { kind: 'folder', path } : refused(damaged(sha256))",
    to: "return { kind: 'folder', path }",
  },
])
