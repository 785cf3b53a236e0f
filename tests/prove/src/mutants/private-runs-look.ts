/** A look is plain whatever the run knows. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/plain-look.ts',
    from: "call.label.confidentiality !== 'public'",
    to: 'call === undefined',
  },
  {
    file: 'policy/src/bundled/levels.ts',
    from: ' && context.confidentiality == "public"',
    to: '',
  },
  {
    file: 'policy/src/bundled/base.ts',
    from: '  (context.egress || context.changes)\n}',
    to: '  context.changes\n}',
  },
])
