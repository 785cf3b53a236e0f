/** What an agent writes may claim to be signed by a publisher. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/proposal.ts',
    from: 'if (signed)',
    to: "if (signed && signed.path === '')",
  },
])
