/** The card of a skill that an agent wrote does not say after reading whose words. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/proposal.ts',
    from: "label.integrity === 'untrusted'",
    to: "agent === ''",
  },
])
