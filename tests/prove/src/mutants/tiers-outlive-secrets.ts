/** What a tool of a plugin was accepted for holds whatever secrets the plugin is given by now. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/commands/extension-plugin.ts',
    from: '!Object.values(before.secrets).includes(secret)',
    to: 'secret === undefined',
  },
])
