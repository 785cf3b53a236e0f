/** A wish speaks for whatever a tool of its kind touches. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/asked-for.ts',
    from: 'resources.every((resource) => isOrdinary(resource, call)) &&',
    to: '',
  },
])
