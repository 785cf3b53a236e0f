/** The part of the typed client that speaks of what was let in from outside. It is changed by calls (`callTool`). */
import type { Call } from './call.ts'

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/extensions.ts')).extensionRoutes

export function extensionCalls(call: Call) {
  return {
    extensions: async () => call((await routes()).extensions),
    extensionUse: async () => call((await routes()).extensionUse),
    extensionCalls: async (name: string) => call((await routes()).extensionCalls, { params: { name } }),
  }
}
