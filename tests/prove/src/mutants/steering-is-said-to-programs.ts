/** Every word in a run that a program began counts as said by the program or to it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/programs/own-things.ts',
    from: "eb('messages.role', '=', 'assistant'),",
    to: "eb('messages.role', '<>', 'nobody' as 'user'),",
  },
])
