/** Who is blocked is only called so. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/peers.ts',
    from: `.set({ state: 'blocked', role: null, code: null })`,
    to: '.set({ code: null })',
  },
])
