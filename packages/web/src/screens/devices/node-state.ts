/** Owns how a node stands: whether it is there, and what each of its capabilities is worth now. Pure. */
import type { NodeCapability, NodeCapabilityState, NodeView } from '@countersign/contract'

/** `limited`: switched off here, whatever the node says. `unused`: its owner switched it off, or nothing there has it. */
export type CapabilityStanding = 'usable' | 'limited' | 'denied' | 'unused'

export function standingOf(
  { capability, state }: Pick<NodeCapabilityState, 'capability' | 'state'>,
  off: readonly NodeCapability[],
): CapabilityStanding {
  if (off.includes(capability)) return 'limited'
  if (state === 'ready') return 'usable'
  return state === 'denied' ? 'denied' : 'unused'
}

/** Those that the system of the node refuses: a person has to allow them there. */
export function deniedOf({ advert, off }: Pick<NodeView, 'advert' | 'off'>): readonly NodeCapability[] {
  return (advert?.capabilities ?? [])
    .filter((each) => standingOf(each, off) === 'denied')
    .map(({ capability }) => capability)
}

export function usableOf({ advert, off }: Pick<NodeView, 'advert' | 'off'>): readonly NodeCapability[] {
  return (advert?.capabilities ?? [])
    .filter((each) => standingOf(each, off) === 'usable')
    .map(({ capability }) => capability)
}

/** All that is off after this one was switched. What is sent is the whole of it. */
export function offAfter(
  off: readonly NodeCapability[],
  capability: NodeCapability,
  on: boolean,
): readonly NodeCapability[] {
  const others = off.filter((each) => each !== capability)
  return on ? others : [...others, capability]
}

/** One that complains comes first, then those that are there, then the newest. */
export function nodesInOrder(nodes: readonly NodeView[]): readonly NodeView[] {
  const rank = ({ complaint, online }: NodeView) => (complaint !== null ? 0 : online ? 1 : 2)
  return nodes
    .filter(({ revokedAt }) => revokedAt === null)
    .toSorted((a, b) => rank(a) - rank(b) || b.addedAt.localeCompare(a.addedAt))
}
