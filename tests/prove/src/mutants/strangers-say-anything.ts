/** A grant that holds after untrusted content was read covers queries and long addresses. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/grants/granted-act.ts',
    from: "return look.search === null && isBrief(look.url) ? 'look' : null",
    to: "return look.search === null || isBrief(look.url) ? 'look' : null",
  },
])
