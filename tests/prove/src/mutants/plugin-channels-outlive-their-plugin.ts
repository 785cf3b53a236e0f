/** The channel of a plugin goes on when the plugin is paused or removed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/plugin-channels.ts',
    from: "stopAll(running, ({ wanted }) => !('launch' in acceptedIn(now, wanted)))",
    to: 'stopAll(running, () => now.servers.length < 0)',
  },
])
