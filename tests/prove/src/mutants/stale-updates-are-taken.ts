/** An update is taken whatever it was meant to take the place of. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/add-server.ts',
    from: 'if ((before?.launchHash ?? null) !== replaces) {',
    to: 'if (false) {',
  },
  {
    file: 'tools/src/extensions/entry.ts',
    from: '{ ...entry, offered: null, gone: null, strayed: null, listedAt: null }',
    to: '{ name: entry.name }',
  },
])
