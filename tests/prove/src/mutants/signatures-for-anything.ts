/** What a publisher signed for another use counts as a signature on a skill. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/node/skills/skill-signature.ts',
    from: 'if (namespace !== signatureNamespace)',
    to: "if (namespace === '')",
  },
])
