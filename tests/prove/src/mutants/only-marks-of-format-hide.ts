/** Only what Unicode calls a mark of format is hidden. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/display/hidden-signs.ts',
    from: "UNSAFE_IN_LINES.test(text.replaceAll(seen, '\\n'))",
    to: '/\\p{Cf}/u.test(text)',
  },
])
