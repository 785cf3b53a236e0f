/** What a server answers counts as ours. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/server-effects.ts',
    from: "return { integrity: 'untrusted', confidentiality: 'private', sources: [`${kind} ${server}`] }",
    to: "return { integrity: 'tool', confidentiality: 'private', sources: [`${kind} ${server}`] }",
  },
])
