/** A plugin that lists other tools than its manifest is called all the same, tool by tool as a server. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/servers.ts',
    from: "if (kindOf(server) === 'server') return true",
    to: 'if (kindOf(server)) return true',
  },
])
