/** Erasing a conversation leaves what waits in it to be answered. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/sessions/erase-words.ts',
    from: "update inputs set text = '', attachments = '[]', metadata = '{}', state = 'done' where",
    to: "update inputs set attachments = '[]' where",
  },
])
