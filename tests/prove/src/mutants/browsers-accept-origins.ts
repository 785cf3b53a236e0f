/** Every device that may appoint others says where passkeys count. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/believed.ts',
    from: `!isHostAppointer(proven.device))
    return refused('an origin is accepted`,
    to: `!mayAppoint(proven.device))
    return refused('an origin is accepted`,
  },
])
