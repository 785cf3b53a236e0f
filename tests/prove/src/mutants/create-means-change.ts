/** A grant to create files covers those that are there. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/grants/cover.ts',
    from: "isNew ? 'create' : 'change'",
    to: "isNew ? 'create' : 'create'",
  },
])
