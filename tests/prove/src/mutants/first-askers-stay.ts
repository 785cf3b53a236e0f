/** Whoever asks first to be let in keeps everybody else from asking for an hour. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/peers.ts',
    from: '>= undisturbedMs)',
    to: '>= undisturbedMs * 1_000)',
  },
])
