/** What an agent wrote after reading what is private counts as public once it is reviewed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/skill-origin.ts',
    from: "writtenBy?.label.confidentiality ?? 'public'",
    to: "'public'",
  },
])
