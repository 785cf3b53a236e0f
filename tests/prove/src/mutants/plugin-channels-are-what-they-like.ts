/** The channel of a plugin is spoken with though it says that it is another one than its manifest says. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/plugin-channels.ts',
    from: 'canonical(announced.data.channel) === canonical(channel) &&',
    to: '',
  },
])
