/** The words of a server can end the quotation that they stand in. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/facts.ts',
    from: '.text.replaceAll(quotes, "\'")',
    to: '.text',
  },
])
