/** Nothing asks on account of private data alone. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/bundled/base.ts',
    from: `context.egress &&
  context.confidentiality == "private" &&`,
    to: `context.egress &&
  context.confidentiality == "private" && context.tier > 3 &&`,
  },
])
