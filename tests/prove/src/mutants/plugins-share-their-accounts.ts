/** An account is what a channel says that it is, whichever plugin says it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/bound-account.ts',
    from: 'broughtAt === undefined ? [] : [broughtAt]',
    to: 'broughtAt === undefined ? [] : []',
  },
])
