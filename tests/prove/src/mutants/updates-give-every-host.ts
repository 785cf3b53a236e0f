/** An update of a plugin is given all hosts that it asks for. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/commands/extension-plugin.ts',
    from: ': !before || before.launch.hosts.some(',
    to: ': before || !before.launch.hosts.some(',
  },
])
