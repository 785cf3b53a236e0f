/** Links among the files of a server are taken for what they lead to. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/file-tree.ts',
    from: 'else if (entry.isSymbolicLink()) return refused(',
    to: 'else if (entry.isSymbolicLink()) found.push(path)\n      else if (false) return refused(',
  },
  {
    file: 'contract/src/node/file-tree.ts',
    from: 'constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK',
    to: 'constants.O_RDONLY | constants.O_NONBLOCK',
  },
])
