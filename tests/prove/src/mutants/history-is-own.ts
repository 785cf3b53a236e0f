/** What git tells of commits is taken for the operator's own words. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/git/command.ts',
    from: "files: { found: [locationIn(location, '.git').path], changed: null }",
    to: 'files: { found: [], changed: null }',
  },
])
