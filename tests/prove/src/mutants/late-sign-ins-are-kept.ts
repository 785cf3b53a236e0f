/** What a sign-in gave is kept however the server is by then. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/extensions/server-sign-in.ts',
    from: `      // The provider may take its time, and what is kept for a server that is gone is kept for whatever comes after it.
      if (!isSame()) throw changed()
`,
    to: '',
  },
])
