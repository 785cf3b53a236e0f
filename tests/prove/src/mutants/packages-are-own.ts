/** What package managers and terminals put into the workspace is taken for the operator's own. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/label-of-files.ts',
    from: 'const foreign = foreignFolderOf(path)',
    to: 'const foreign = undefined',
  },
])
