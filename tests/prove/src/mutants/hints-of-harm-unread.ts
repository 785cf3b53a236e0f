/** What a server says of harm is not heard. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/server-presets.ts',
    from: "annotations['destructiveHint'] === true ? 3 : 0",
    to: '0',
  },
])
