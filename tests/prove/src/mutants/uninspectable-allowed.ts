/** No rule forbids what cannot be inspected. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/bundled/base.ts',
    from: `@id("base.uninspectable")
@why("what this command does cannot be listed beforehand")
forbid (principal, action == Action::"call", resource)
when { context.uninspectable }
unless { context.approved };
`,
    to: '',
  },
])
