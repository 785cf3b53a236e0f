/** A look outside the workspace is like one inside. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/bundled/base.ts',
    from: 'when { context.outside }',
    to: 'when { context.outside && context.tier > 3 }',
  },
])
