/** The part of the typed client that speaks of what was let in from outside. It is changed by calls (`callTool`), save sign-ins. */
import type { BeginSignIn, EndSignIn } from '../api-oauth.ts'
import type { TryTiers } from '../extension.ts'
import type { FindServerSignIn } from '../server-oauth.ts'
import type { Call } from './call.ts'

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/extensions.ts')).extensionRoutes

export function extensionCalls(call: Call) {
  return {
    extensions: async () => call((await routes()).extensions),
    extensionUse: async () => call((await routes()).extensionUse),
    extensionCalls: async (name: string) => call((await routes()).extensionCalls, { params: { name } }),
    tryServerTiers: async (name: string, wish: TryTiers) =>
      call((await routes()).tryServerTiers, { params: { name }, body: wish }),
    findServerSignIn: async (name: string, wish: FindServerSignIn) =>
      call((await routes()).findServerSignIn, { params: { name }, body: wish }),
    beginServerSignIn: async (name: string, sign: BeginSignIn) =>
      call((await routes()).beginServerSignIn, { params: { name }, body: sign }),
    endServerSignIn: async (name: string, end: EndSignIn) =>
      call((await routes()).endServerSignIn, { params: { name }, body: end }),
    signOutOfServer: async (name: string) => call((await routes()).signOutOfServer, { params: { name } }),
  }
}
