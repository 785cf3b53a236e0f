/** A node shares whatever it is told to. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'node/src/node-home.ts',
    from: 'if (foldersOverlap(folder, shared))',
    to: "if (foldersOverlap(folder, shared) && shared === '')",
  },
])
