/** All sites of a session share cookies and proxy, and what one call opened stays open for the next. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/browser/site.ts',
    from: 'return port === 80 || port === 443 ? asciiHost : `${asciiHost}:${port}`',
    to: "return asciiHost && port ? 'one' : undefined",
  },
  { file: 'executor/src/browser/reach.ts', from: 'open.clear()', to: '' },
])
