/** An address is of a host whatever its port. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/grants/cover.ts',
    from: ' &&\n        target.port === cover.port',
    to: '',
  },
])
