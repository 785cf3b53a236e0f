/** What forbids a call is looked at for the caller alone, and not for whoever began its work. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/work-origins.ts',
    from: 'return isAsked ?',
    to: 'return isAsked && facts.label === null ?',
  },
])
