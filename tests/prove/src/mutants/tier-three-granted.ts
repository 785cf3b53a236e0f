/** A grant covers what others see. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/facts.ts',
    from: 'export const grantableTier = 2',
    to: 'export const grantableTier = 3',
  },
  {
    file: 'policy/src/bundled/base.ts',
    from: 'when { context.granted && context.tier <= 2 };',
    to: 'when { context.granted && context.tier <= 3 };',
  },
])
