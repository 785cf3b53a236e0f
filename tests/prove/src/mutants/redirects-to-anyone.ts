/** A redirect is followed to any host, though it is checked like the first one. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/egress/redirect.ts',
    from: "target.kind === 'refused' || target.asciiHost !== first.asciiHost",
    to: "target.kind === 'refused'",
  },
])
