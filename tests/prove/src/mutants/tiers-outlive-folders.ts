/** What a tool of a plugin was accepted for holds wherever the plugin may write by now. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/commands/extension-plugin.ts',
    from: '=> !before.folders.some(',
    to: '=> before.folders === undefined && !before.folders.some(',
  },
])
