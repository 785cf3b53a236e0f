/** Where an index leads is told in its own words. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/extension-indexes/read-index.ts',
    from: "URL.parse(response.headers.get('location') ?? '', place)?.href",
    to: "response.headers.get('location')",
  },
])
