/** How a server is started is no part of what a permit for it names. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/extensions/entry.ts',
    from: '{ ...entry, offered: null, gone: null, strayed: null, listedAt: null }',
    to: '{ ...entry, launch: null, launchHash: null, tools: null, offered: null, gone: null, strayed: null, listedAt: null }',
  },
])
