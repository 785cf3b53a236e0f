/** What stands in a quotation can end it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/output/safe-text.ts',
    from: '“${line(text).replaceAll(quotes, "\'")}”',
    to: '“${line(text)}”',
  },
])
