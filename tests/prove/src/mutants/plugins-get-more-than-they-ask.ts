/** A plugin is given hosts, secrets and a folder that its manifest does not ask for. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/plugin-card.ts',
    from: 'return rightsProblem(shown, manifest) ?? manifest',
    to: 'return manifest',
  },
])
