/** The part of the typed client that speaks of secrets. */
import type { z } from 'zod'
import type { RotateSecret, StoreSecret } from '../api-secrets.ts'
import { secretRoutes } from '../routes/secrets.ts'
import type { Call } from './call.ts'

export function secretCalls(call: Call) {
  return {
    secrets: () => call(secretRoutes.secrets),
    storeSecret: (name: string, secret: z.input<typeof StoreSecret>) =>
      call(secretRoutes.storeSecret, { params: { name }, body: secret }),
    rotateSecret: (name: string, secret: RotateSecret) =>
      call(secretRoutes.rotateSecret, { params: { name }, body: secret }),
    removeSecret: (name: string) => call(secretRoutes.removeSecret, { params: { name } }),
  }
}
