/** The part of the typed client that speaks of passkeys that wait for another one. Agreeing is a statement about it. */
import type { RequestPasskey } from '../api-passkey-requests.ts'
import type { Call } from './call.ts'

/** Loaded with the first call, as those of nodes. */
const routes = async () => (await import('../routes/passkey-requests.ts')).passkeyRequestRoutes

export function passkeyRequestCalls(call: Call) {
  return {
    passkeyRequests: async () => call((await routes()).passkeyRequests),
    requestPasskey: async (body: RequestPasskey) => call((await routes()).requestPasskey, { body }),
    /** Of whoever agrees, or of the device that asked. */
    refusePasskey: async (id: string) => call((await routes()).refusePasskey, { params: { id } }),
  }
}
