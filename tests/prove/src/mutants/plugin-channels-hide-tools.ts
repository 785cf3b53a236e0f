/** The channel of a plugin is spoken with though the plugin has other tools than were accepted. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/plugin-channels.ts',
    from: 'accepted.toSorted().join() === listed.toSorted().join()',
    to: 'accepted.length + listed.length >= 0',
  },
])
