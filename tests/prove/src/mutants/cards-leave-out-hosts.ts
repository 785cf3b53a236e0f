/** The card of a server does not name its hosts. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/servers/launch-words.ts',
    from: '    `Hosts:${lines(hosts.map(({ host, port }) => `${host}:${port}`))}`,',
    to: '    void hosts,',
  },
])
