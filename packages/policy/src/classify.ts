/** Owns the tier of a call: what it does, raised by what it was made from. Nothing lowers a tier. */
import type { Effect, Label, Requester, Resource, Tier } from '@countersign/contract'

/**
 * What is known of the places that a call reaches. Told by whoever keeps the conversation, the directories and the
 * decisions of the operator; left out, nothing is known.
 */
export interface Acquaintance {
  /**
   * All that would leave stands, to the byte, in words of the operator or in content that was read before the call.
   * An address with a query counts only where the operator typed it: a query is how pages are told and made to act.
   */
  readonly verbatim: boolean
  /** The operator keeps every host among the bookmarks, or approved a call to it before. */
  readonly named: boolean
}

export interface ClassifyInput {
  readonly tool: {
    readonly name: string
    readonly category: string
    readonly floor: Tier
    readonly declaresEffects: boolean
  }
  readonly effects: readonly Effect[]
  readonly resources: readonly Resource[]
  readonly label: Label
  readonly requester: Requester
  /** Suspicious characters stand in a field that names a person, a host or a path. */
  readonly identityFlags: boolean
  readonly acquaintance?: Acquaintance
}

export interface Classification {
  readonly tier: Tier
  /** What the effects alone give. */
  readonly base: Tier
  /** One clause for each step from the base to the tier. */
  readonly raised: readonly string[]
}

/**
 * Floors come first, then raises of one tier each, taint last, so that a look which something else made suspicious
 * is raised by taint as well. Raises end at T3: taint never demands a passkey for an outward act, it demands the
 * operator's device, and the base rules ask for that at every level. Only authority is T4, by its effect or floor.
 */
export function classify(input: ClassifyInput): Classification {
  const { tool, effects, resources, label, requester } = input
  const base = effects.reduce<Tier>((highest, effect) => higher(highest, tierOfEffect(effect)), 0)
  const raised: string[] = []
  let tier = base

  const atLeast = (floor: Tier, why: string): void => {
    if (floor <= tier) return
    tier = floor
    raised.push(why)
  }
  const byOne = (why: string): void => {
    if (tier >= 3) return
    tier = (tier + 1) as Tier
    raised.push(why)
  }

  atLeast(tool.floor, 'the tool is never below this tier')
  if (!tool.declaresEffects) atLeast(3, 'the tool does not say what it does')
  if (resources.some(isUninspectable)) atLeast(3, 'what the command does cannot be listed beforehand')
  if (input.identityFlags) byOne('a name in the call has suspicious characters')
  if (resources.some(isInnerAddress)) byOne('the address is not on the public internet')
  if (tier > 0 && (label.integrity === 'untrusted' || requester.kind === 'webhook') && !followsLink(input)) {
    byOne('untrusted content led to this call')
  }
  return { tier, base, raised }
}

export function tierOfEffect(effect: Effect): Tier {
  switch (effect.verb) {
    case 'authority':
      return 4
    case 'ask':
      return effect.outward ? 3 : 0
    case 'send':
    case 'execute':
    case 'spend':
      return 3
    case 'write':
    case 'delete':
      if (effect.outward || !effect.reversible || effect.scope === 'boundary') return 3
      return effect.leaves.length > 0 ? 2 : 1
    case 'read':
    case 'list':
    case 'fetch':
      if (effect.outward || !effect.reversible) return 3
      return effect.verb === 'fetch' || effect.scope === 'boundary' || effect.leaves.length > 0 ? 2 : 0
  }
}

/**
 * Untrusted content offered an address and the call fetches it as it stands, with nothing private in reach: nothing of
 * the operator's can be in it, so it stays a fetch. An address that was put together is raised, whatever its host.
 */
function followsLink({
  effects,
  resources,
  label,
  requester,
  identityFlags,
  acquaintance,
}: ClassifyInput): boolean {
  return (
    acquaintance?.verbatim === true &&
    label.confidentiality === 'public' &&
    requester.kind === 'operator' &&
    !identityFlags &&
    effects.length > 0 &&
    resources.length > 0 &&
    effects.every(({ verb, reversible, outward }) => verb === 'fetch' && reversible && !outward) &&
    resources.every((resource) => resource.type === 'url' && isPlainGet(resource))
  )
}

function isPlainGet(resource: Resource & { type: 'url' }): boolean {
  return (resource.method === 'GET' || resource.method === 'HEAD') && !isInnerAddress(resource)
}

function higher(left: Tier, right: Tier): Tier {
  return left >= right ? left : right
}

function isUninspectable(resource: Resource): boolean {
  return resource.type === 'exec' && resource.uninspectable
}

function isInnerAddress(resource: Resource): boolean {
  return resource.type === 'url' && resource.addressClass !== 'public' && resource.addressClass !== 'name'
}
