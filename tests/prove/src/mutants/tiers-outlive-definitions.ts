/** What a tool of a plugin was accepted for holds however the tool describes itself by now. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/commands/extension-plugin.ts',
    from: 'const isSame = was !== undefined && definitionText(was.listed) === definitionText(listedAs(tool))',
    to: 'const isSame = was !== undefined',
  },
])
