/** What a server answers counts as ours. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/server-effects.ts',
    from: "return { integrity: 'untrusted', confidentiality: 'private', sources: [`server ${server}`] }",
    to: "return { integrity: 'tool', confidentiality: 'private', sources: [`server ${server}`] }",
  },
])
