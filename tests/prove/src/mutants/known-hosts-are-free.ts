/** A look at a host needs no grant where nothing private is in reach. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/bundled/levels.ts',
    from: 'when { context.tier <= 1 };',
    to: 'when { context.tier <= 1 || (context.tier == 2 && context.reads && context.egress && !context.changes) };',
  },
])
