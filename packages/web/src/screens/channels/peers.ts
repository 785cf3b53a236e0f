/** Owns who is asked about people: those who were let in or blocked, and those whose code still holds. */
import type { PeerView } from '@countersign/contract'
import { useGateway } from '../../environment/queries.ts'
import { useNow } from '../../kit/index.ts'

const codeMs = 60 * 60_000

export interface KnownPeers {
  readonly known: readonly PeerView[]
  readonly asking: readonly PeerView[]
}

/** Of one channel, or of all. */
export function usePeers(channel?: string): KnownPeers {
  const now = useNow(30_000)
  const peers = useGateway(['peers'], (client) => client.peers(), { everyMs: 30_000 })
  const ours = (peers.data ?? []).filter((peer) => channel === undefined || peer.channel === channel)
  return {
    known: ours.filter(({ state }) => state !== 'asking'),
    asking: ours.filter(
      ({ state, askedAt }) =>
        state === 'asking' && askedAt !== null && Date.parse(askedAt) + codeMs > now.getTime(),
    ),
  }
}
