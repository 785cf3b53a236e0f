/** The part of the typed client that speaks of nodes. What a node may do is stated as for devices, by `stateDevice`. */
import type { NodeCapability } from '../node-capability.ts'
import type { Call } from './call.ts'

/** Loaded with the first call, as those of channels. */
const routes = async () => (await import('../routes/nodes.ts')).nodeRoutes

export function nodeCalls(call: Call) {
  return {
    nodes: async () => call((await routes()).nodes),
    /** Who asks to become a node. */
    nodePairingRequests: async () => call((await routes()).nodePairingRequests),
    refuseNodePairing: async (id: string) => call((await routes()).refuseNodePairing, { params: { id } }),
    /** Everything that is off here; what is left out is on. */
    limitNode: async (id: string, off: readonly NodeCapability[]) =>
      call((await routes()).limitNode, { params: { id }, body: { off: [...off] } }),
  }
}
