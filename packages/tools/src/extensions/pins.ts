/** Owns what it means that a server, a plugin or a skill is pinned: nothing takes its place until the operator lets it go. */
import type { Effect, InstalledServer, InstalledSkill } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import type { Inspector } from '../inspector.ts'
import { succeeded } from '../result.ts'
import { type ExtensionKind, entryNamed, extensionResource } from './entry.ts'

/** Why nothing may take its place, or nothing. */
export function pinProblem(
  kind: ExtensionKind,
  entry: Pick<InstalledServer | InstalledSkill, 'name' | 'pinned'> | undefined,
): string | undefined {
  return entry?.pinned
    ? `The ${kind} ${entry.name} is pinned. Let it be updated with \`countersign extension unpin ${entry.name}\`.`
    : undefined
}

export function pinHeadline(kind: ExtensionKind, name: string, pinned: boolean): string {
  return `${pinned ? 'Pin' : 'Unpin'} the ${kind} ${name}`
}

export function withPin<Entry extends { readonly pinned?: true }>(entry: Entry, pinned: boolean): Entry {
  const { pinned: _, ...rest } = entry
  return { ...rest, ...(pinned ? { pinned: true } : {}) } as Entry
}

export function pinTold(kind: ExtensionKind, name: string, pinned: boolean) {
  const summary = `The ${kind} ${name} is ${pinned ? 'pinned' : 'pinned no more'}`
  return succeeded(`${summary}.`, summary)
}

export function pinEffects(
  inspect: Inspector,
  { kind, name, pinned }: { readonly kind: ExtensionKind; readonly name: string; readonly pinned: boolean },
): EffectsResult {
  const installed = inspect.extensions()
  const entry = entryNamed(installed, kind, name)
  if (!entry) return { kind: 'invalid', reason: `There is no ${kind} ${name}.` }
  const effect: Effect = {
    verb: 'write',
    object: `the ${kind} ${name}, ${pinned ? 'of which nothing takes the place' : 'which may be updated again'}`,
    // What is pinned can become less; what is let go can become something else, by another call that asks.
    scope: pinned ? 'inside' : 'boundary',
    reversible: true,
    outward: false,
    leaves: [],
  }
  return {
    kind: 'found',
    resources: [extensionResource(installed, { kind, name, op: 'change' })],
    effects: [effect],
  }
}
