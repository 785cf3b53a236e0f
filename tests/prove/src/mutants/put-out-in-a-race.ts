/** Whoever is put out between the look at them and their admission is admitted. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/intake.ts',
    from: "if (typeof now !== 'object' || now.role !== peer.role) throw new PutOutError()",
    to: "if (typeof now !== 'object') return reception",
  },
])
