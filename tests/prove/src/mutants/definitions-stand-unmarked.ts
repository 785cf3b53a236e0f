/** What a server says of its tools stands on a card as if we said it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/accept-server-tools.ts',
    from: '\\n(new)\\n${barred(definitionText(tool))}`',
    to: '\\n(new)\\n${definitionText(tool)}`',
  },
])
