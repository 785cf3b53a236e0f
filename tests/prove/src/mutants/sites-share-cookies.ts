/** All sites of a session share cookies. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/browser/site.ts',
    from: 'return port === 80 || port === 443 ? asciiHost : `${asciiHost}:${port}`',
    to: "return asciiHost && port ? 'one' : undefined",
  },
])
