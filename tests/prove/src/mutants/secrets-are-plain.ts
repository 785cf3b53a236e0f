/** A call with a secret is judged like one without. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'policy/src/bundled/base.ts',
    from: 'when { !context.secrets.isEmpty() }',
    to: 'when { !context.secrets.isEmpty() && context.tier > 3 }',
  },
  {
    file: 'executor/src/verify.ts',
    from: "if (secrets.length > 0 && approval === null) return 'the use of a secret needs an approval'",
    to: '',
  },
])
