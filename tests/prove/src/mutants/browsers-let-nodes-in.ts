/** Every device that may appoint others lets nodes in. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/believed.ts',
    from: "if (!isHostAppointer(proven.device)) return refused('a node is let in",
    to: "if (!mayAppoint(proven.device)) return refused('a node is let in",
  },
])
