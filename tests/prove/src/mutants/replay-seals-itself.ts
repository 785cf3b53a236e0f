/** A simulation allows what the gateway may not seal. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/simulate.ts',
    from: 'if (!grantable) return withinGatewayReach(decision)',
    to: 'if (!grantable) return decision',
  },
])
