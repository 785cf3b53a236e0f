/** What git shows and changes is not compared with the places that rules speak of. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/touched-places.ts',
    from: 'const versioned = filesOfGit(facts)',
    to: 'const versioned = filesOfGit(facts).slice(0, 0)',
  },
])
