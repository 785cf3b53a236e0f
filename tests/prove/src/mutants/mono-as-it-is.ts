/** The web app shows the bytes of a call as they are. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'web/src/kit/mono.tsx',
    from: '{forDisplay(text).text}',
    to: '{text}',
  },
])
