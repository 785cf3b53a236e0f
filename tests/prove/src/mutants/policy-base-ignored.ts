/** A change of policy is made whatever version it was sealed for. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/policies/policies.ts',
    from: 'if (before?.number !== base) throw staleError(before?.number ?? 0)',
    to: 'if (!before) throw staleError(0)',
  },
  {
    file: 'kernel/src/policies/policies.ts',
    from: 'const next = await insert(unit, base + 1, row)',
    to: 'const next = await insert(unit, before.number + 1, row)',
  },
])
