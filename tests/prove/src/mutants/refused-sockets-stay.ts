/** A connection that is refused is left to whoever opened it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/server/strangers.ts',
    from: "  socket.once('finish', () => socket.destroy())\n",
    to: '',
  },
])
