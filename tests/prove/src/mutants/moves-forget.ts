/** Whoever moves a file is not taken to have read it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-labels.ts',
    from: "const moves = resources.some((resource) => resource.type === 'file' && resource.op === 'write')",
    to: "const moves = resources.some((resource) => resource.type === 'file' && resource.op === 'write') && false",
  },
])
