/** What somebody may spend is looked at when they write, and not while what they asked for goes on. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/budgets/model-costs.ts',
    from: 'if (taken + worst > limit)',
    to: 'if (taken + worst > limit && limit === 0)',
  },
])
