/** A skill that a server serves has files elsewhere than in its folder. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-skills.ts',
    from: 'from.startsWith(`${folder}/`) ? pathIn(from.slice(folder.length + 1)) : undefined',
    to: "pathIn(from.startsWith(`${folder}/`) ? from.slice(folder.length + 1) : from.slice(from.lastIndexOf('/') + 1))",
  },
])
