/** A host is shown only in the form that no person reads. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/display/host.ts',
    from: 'unicode.text === given.text ? given.text :',
    to: 'unicode.text !== given.text ? given.text :',
  },
])
