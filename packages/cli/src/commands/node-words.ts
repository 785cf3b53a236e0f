/** Owns how nodes and their requests are named and told of on the command line. */
import { CountersignError, type NodePairingRequestView, type NodeView } from '@countersign/contract'
import { line } from '../output/safe-text.ts'
import { ago, type Moment } from '../output/time.ts'

const shortestId = 8

/** By its name, its id or the beginning of it. Live ones come before revoked ones of the same name. */
export function findNode(ref: string, nodes: readonly NodeView[]): NodeView {
  const exact = nodes.find(({ id }) => id === ref)
  if (exact) return exact
  const named = nodes.filter(({ name }) => name === ref)
  const begun = ref.length >= shortestId ? nodes.filter(({ id }) => id.startsWith(ref)) : []
  const matching = named.length > 0 ? named : begun
  const live = matching.filter(({ revokedAt }) => revokedAt === null)
  const [first, ...others] = live.length > 0 ? live : matching
  if (!first)
    throw new CountersignError('not_found', `There is no node ${line(ref)}.`, {
      next: 'List them with `countersign node list --all`.',
    })
  if (others.length > 0)
    throw new CountersignError('usage', `Several nodes are called ${line(ref)}.`, {
      next: `Give one id: ${[first, ...others].map(({ id }) => id).join(', ')}.`,
    })
  return first
}

/** The only one that waits, or the one that is named. */
export function namedRequest(
  ref: string | undefined,
  requests: readonly NodePairingRequestView[],
): NodePairingRequestView {
  const matching = requests.filter(
    ({ id, name }) =>
      ref === undefined || id === ref || name === ref || (ref.length >= shortestId && id.endsWith(ref)),
  )
  const [first, ...others] = matching
  if (!first)
    throw new CountersignError('not_found', 'No computer is waiting to be let in.', {
      next: 'Run `countersign node pair <address>` on the other computer first.',
    })
  if (others.length > 0)
    throw new CountersignError('usage', `${matching.length} computers are waiting.`, {
      next: `Name one: ${matching.map(({ id, name }) => `${id.slice(-8)} (${line(name)})`).join(', ')}.`,
    })
  return first
}

export function stateOfNode(
  { online, busy, seenAt, revokedAt, complaint }: NodeView,
  moment: Moment,
): string {
  if (revokedAt !== null) return `revoked ${ago(revokedAt, moment)}`
  const complains = complaint === null ? '' : ', complains about the ledger'
  if (!online) return `${seenAt === null ? 'away' : `away, seen ${ago(seenAt, moment)}`}${complains}`
  return `${busy === 0 ? 'connected' : `connected, runs ${busy}`}${complains}`
}

export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
    .join(' ')
}
