/** A key of the front matter may be there twice. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/skills/skill-file.ts',
    from: 'uniqueKeys: true',
    to: 'uniqueKeys: false',
  },
])
