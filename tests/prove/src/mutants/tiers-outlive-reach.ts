/** What a tool of a plugin was accepted for holds whatever the plugin reaches by now. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/commands/extension-plugin.ts',
    from: 'const stays = before !== undefined && !isWider(given, before.launch)',
    to: 'const stays = before !== undefined',
  },
])
