/** What a change loosens is looked at as it is sent, and no more as it is made. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/policies/policies.ts',
    from: 'if (!mayLoosen && loosens?.length !== 0) throw stepUpError()',
    to: '',
  },
])
