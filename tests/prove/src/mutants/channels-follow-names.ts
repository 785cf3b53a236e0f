/** The channel of a plugin is that of whatever has the name of the plugin. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/orphaned-channels.ts',
    from: '(!kinds.find(kind) || kinds.broughtAt(kind) !== broughtAt)',
    to: '(!kinds.find(kind) || !broughtAt)',
  },
  {
    file: 'gateway/src/channels/channel-kinds.ts',
    from: 'if (plugin?.addedAt !== broughtAt || !plugin) throw',
    to: 'if (!broughtAt || !plugin) throw',
  },
])
