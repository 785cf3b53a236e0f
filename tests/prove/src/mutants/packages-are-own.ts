/** What package managers and terminals put into the workspace is taken for the operator's own. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/file-worth.ts',
    from: 'if (!foreignFolderOf(path) || isOwnForeign(path, own)) return labels',
    to: 'if (path !== "") return labels',
  },
])
