/** A change of policy is taken as if there were no passkey. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/policy-settings/policy-admin.ts',
    from: 'const guarded = await hasPasskey(parts.trust)',
    to: 'const guarded = false',
  },
])
