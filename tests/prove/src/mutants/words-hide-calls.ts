/** A call with words in it for what the database cannot hold is not read. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'views/src/extension-use.ts',
    from: "strpos(replace(args, '\\\\\\\\', ''), ",
    to: 'strpos(args, ',
  },
])
