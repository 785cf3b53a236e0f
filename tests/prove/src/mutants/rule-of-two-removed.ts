/** No rule asks when untrusted content and private data meet in a change. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/bundled/base.ts',
    from: `  context.confidentiality != "public" &&
  (context.egress || context.changes)`,
    to: `  context.confidentiality != "public" && false`,
  },
])
