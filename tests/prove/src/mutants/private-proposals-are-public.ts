/** What an agent wrote after reading what is private counts as public once it is reviewed. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/skill-labels.ts',
    from: "writtenBy?.label.confidentiality ?? 'public'",
    to: "'public'",
  },
  {
    file: 'assistant/src/context/told-skills.ts',
    from: "writtenBy?.label.confidentiality ?? 'public'",
    to: "'public'",
  },
])
