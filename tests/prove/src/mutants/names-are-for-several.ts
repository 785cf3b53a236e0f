/** A skill may have the name of a server, both where it is asked for and where it is kept. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/extensions/entry.ts',
    from: "!(each === 'skill' && kind === 'proposal') && entryNamed(installed, each, name)",
    to: "!(each === 'skill' && kind === 'proposal') && entryNamed(installed, each, '')",
  },
])
