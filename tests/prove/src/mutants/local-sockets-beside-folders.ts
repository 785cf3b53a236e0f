/** A server may have local sockets beside a folder of the workspace, in which somebody else's could lie. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/extension.ts',
    from: 'sockets === undefined || folders.length === 0',
    to: 'sockets === undefined || folders.length >= 0',
  },
])
