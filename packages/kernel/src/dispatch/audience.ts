/**
 * Owns for which executor a permit is made. A call of a node's tool is run by the node that looked at it, which must be
 * the one that the call names. Nobody else is named by what was looked at.
 */
import { type ExecutorPort, type NodeResource, nodeArgument, type Resolution } from '@countersign/contract'
import type { CanonicalCall } from './canonicalize.ts'
import type { Executors } from './dispatch-ports.ts'

export type Audience = ExecutorPort['identity']

export type AudienceCheck =
  | { readonly kind: 'known'; readonly audience: Audience }
  | { readonly kind: 'refused'; readonly reason: string }

export function audienceOf(
  { tool, value }: Pick<CanonicalCall, 'tool' | 'value'>,
  { resources, secrets }: Pick<Resolution, 'resources' | 'secrets'>,
  { executor, gateway }: Executors,
): AudienceCheck {
  if (tool.runs !== 'node') {
    if (resources.some(isOfNode))
      return refused('It touches another computer, and its tool runs on this one.')
    return known((tool.runs === 'gateway' ? gateway : executor).identity)
  }
  const [first] = resources.filter(isOfNode)
  if (!first || !resources.every((each) => isOfNode(each) && isSameNode(each, first)))
    return refused('What it touches is not on one other computer.')
  if (first.name !== value[nodeArgument]) return refused('Another computer answered than the call names.')
  if (secrets.length > 0) return refused('A call on another computer takes no secrets along.')
  // Whoever runs the gateway's own calls is no node, whatever a node says.
  if ([executor, gateway].some(({ identity }) => identity.executor === first.executor))
    return refused('Another computer named itself as this one.')
  return known({ executor: first.executor, key: first.key })
}

function isOfNode(resource: Resolution['resources'][number]): resource is NodeResource {
  return resource.type === 'node'
}

function isSameNode(one: NodeResource, other: NodeResource): boolean {
  return (
    one.node === other.node &&
    one.executor === other.executor &&
    one.key === other.key &&
    one.name === other.name
  )
}

function known(audience: Audience): AudienceCheck {
  return { kind: 'known', audience }
}

function refused(reason: string): AudienceCheck {
  return { kind: 'refused', reason }
}
