/** Owns how far a channel is on its way to a message that reaches the operator. Pure. */
import type { ChannelKindView, ChannelView, PeerView } from '@countersign/contract'

/**
 * `code`: the operator writes there and lets themselves in. `nobody`: nobody can be the operator there. `away`: it is not
 * connected, so nothing would arrive.
 */
export type ReachStage = 'away' | 'code' | 'ready' | 'nobody'

export function reachStage(
  { name, state }: Pick<ChannelView, 'name' | 'state'>,
  kind: Pick<ChannelKindView, 'bindable' | 'direction'> | undefined,
  peers: readonly Pick<PeerView, 'channel' | 'state' | 'role'>[],
): ReachStage {
  if (state !== 'connected' || kind === undefined) return 'away'
  if (kind.direction === 'out') return 'ready'
  const isIn = peers.some(
    ({ channel, state: standing, role }) => channel === name && standing === 'paired' && role === 'operator',
  )
  if (isIn) return 'ready'
  return kind.bindable ? 'code' : 'nobody'
}
