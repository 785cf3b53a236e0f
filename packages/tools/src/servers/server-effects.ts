/** Owns what the tools of servers have in common: their labels, and how a call of a tier is told as an effect. */
import type { Effect, Label, Tier } from '@countersign/contract'

/** Nobody vouches for what a server says, and it may be about what is the operator's. */
export function serverLabel(server: string, kind: 'server' | 'plugin' = 'server'): Label {
  return { integrity: 'untrusted', confidentiality: 'private', sources: [`${kind} ${server}`] }
}

export const anyServerLabel: Label = {
  integrity: 'untrusted',
  confidentiality: 'private',
  sources: ['a server'],
}

/** An effect that counts for just this tier, as far as an effect can. */
export function effectOfTier(tier: Tier, object: string, leaves: readonly string[]): Effect {
  const common = { object, reversible: true, outward: false, leaves: [] }
  switch (tier) {
    case 0:
      return { ...common, verb: 'read', scope: 'inside' }
    case 1:
      return { ...common, verb: 'write', scope: 'inside' }
    case 2:
      return { ...common, verb: 'fetch', scope: 'boundary', leaves: [...leaves] }
    // What is critical does the same; its tier is that of the resource, as it was accepted.
    case 3:
    case 4:
      return {
        ...common,
        verb: 'execute',
        scope: 'boundary',
        reversible: false,
        outward: true,
        leaves: [...leaves],
      }
  }
}

/** Of a change to what was let in. */
export function entryEffect(verb: 'write' | 'delete', object: string, reversible: boolean): Effect {
  return { verb, object, scope: 'boundary', reversible, outward: false, leaves: [] }
}

export const hashText = /^[0-9a-f]{64}$/
