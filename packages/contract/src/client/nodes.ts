/** The part of the typed client that speaks of nodes. One is let in, renamed and revoked by a statement about it. */
import type { LimitNode } from '../api-nodes.ts'
import type { Call } from './call.ts'

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/nodes.ts')).nodeRoutes

export function nodeCalls(call: Call) {
  return {
    nodes: async () => call((await routes()).nodes),
    /** Which computers ask to become nodes. */
    nodePairingRequests: async () => call((await routes()).nodePairingRequests),
    refuseNodePairing: async (id: string) => call((await routes()).refuseNodePairing, { params: { id } }),
    limitNode: async (id: string, limit: LimitNode) =>
      call((await routes()).limitNode, { params: { id }, body: limit }),
  }
}
