/** A record is worth the same whatever led to it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/records/kept-label.ts',
    from: "label && (label.integrity === 'untrusted' || label.confidentiality === 'secret') ? label : null",
    to: "label && label.integrity === ('never' as string) ? label : null",
  },
])
