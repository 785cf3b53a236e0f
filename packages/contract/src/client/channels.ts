/** The part of the typed client that speaks of channels and of the people who write there. */
import type { AdmitPeer, ChangePeer, ChooseChannel, StoreChannel } from '../api-channels.ts'
import type { Call } from './call.ts'

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/channels.ts')).channelRoutes

export function channelCalls(call: Call) {
  return {
    channelKinds: async () => call((await routes()).channelKinds),
    channels: async () => call((await routes()).channels),
    storeChannel: async (name: string, channel: StoreChannel) =>
      call((await routes()).storeChannel, { params: { name }, body: channel }),
    chooseChannel: async (name: string, choices: ChooseChannel) =>
      call((await routes()).chooseChannel, { params: { name }, body: choices }),
    removeChannel: async (name: string) => call((await routes()).removeChannel, { params: { name } }),
    testChannel: async (name: string) => call((await routes()).testChannel, { params: { name } }),
    deliveries: async (name: string) => call((await routes()).deliveries, { params: { name } }),
    settleDelivery: async (id: string, send: boolean) =>
      call((await routes()).settleDelivery, { params: { id }, body: { send } }),
    peers: async () => call((await routes()).peers),
    admitPeer: async (peer: AdmitPeer) => call((await routes()).admitPeer, { body: peer }),
    changePeer: async (change: ChangePeer) => call((await routes()).changePeer, { body: change }),
  }
}
