/**
 * Owns what the house could know of the places that a call reaches: hosts that the operator keeps among the bookmarks, or
 * approved a call to earlier in the week. Never looks at what was expected.
 */
import type { Acquaintance } from '@countersign/policy'
import type { LabelledCall, Person } from './call.ts'

export function acquaintanceOf(
  call: LabelledCall,
  person: Person,
  approvedHosts: ReadonlySet<string>,
): Acquaintance {
  const isNamed = (host: string) => person.bookmarks.includes(host) || approvedHosts.has(host)
  return { verbatim: call.address === 'found' && !hasQuery(call), named: hostsOf(call).every(isNamed) }
}

export function hostsOf({ resources }: Pick<LabelledCall, 'resources'>): string[] {
  return resources.flatMap((resource) => (resource.type === 'url' ? [resource.host] : []))
}

function hasQuery({ args }: LabelledCall): boolean {
  const { url } = args
  return typeof url !== 'string' || url.includes('?')
}
