/** A skill that an agent writes may be larger than anybody reads. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/proposal.ts',
    from: 'const mostProposedBytes = 64 * 1024',
    to: 'const mostProposedBytes = 64 * 1024 * 1024',
  },
])
