/** A room is private by the number of those who are in it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'channels/src/matrix/rooms.ts',
    from: 'members.size <= 2 && isClosed(',
    to: 'members.size <= 2 || !isClosed(',
  },
])
