/**
 * Owns what the house could know of the places that a call reaches: hosts that the operator typed in this run, keeps
 * among the bookmarks, gave a key for, or approved a call to earlier in the week. Never looks at what was expected.
 */
import type { Acquaintance } from '@countersign/policy'
import type { LabelledCall, Person, WeekRun } from './call.ts'

export function acquaintanceOf(
  call: LabelledCall,
  person: Person,
  run: WeekRun | undefined,
  approvedHosts: ReadonlySet<string>,
): Acquaintance {
  const typed = new Set(call.requester.kind === 'operator' ? hostsIn(run?.message ?? '') : [])
  const isNamed = (host: string) =>
    typed.has(host) ||
    person.bookmarks.includes(host) ||
    person.keys.includes(host) ||
    approvedHosts.has(host)
  return { verbatim: call.address === 'found' && !hasQuery(call), named: hostsOf(call).every(isNamed) }
}

export function hostsOf({ resources }: Pick<LabelledCall, 'resources'>): string[] {
  return resources.flatMap((resource) => (resource.type === 'url' ? [resource.host] : []))
}

function hasQuery({ args }: LabelledCall): boolean {
  const { url } = args
  return typeof url !== 'string' || url.includes('?')
}

function hostsIn(message: string): string[] {
  return message
    .toLowerCase()
    .split(/[^a-z0-9.-]+/)
    .map((word) => word.replace(/\.+$/, ''))
    .filter((word) => word.includes('.'))
}
