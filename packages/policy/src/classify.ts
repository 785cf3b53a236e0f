/** Owns the tier of a call: what it does, raised by what it was made from. Nothing lowers a tier. */
import {
  type Effect,
  type Label,
  type Requester,
  type Resource,
  type Tier,
  tierName,
} from '@countersign/contract'
import { raisesOfProgram } from './program-changes.ts'
import { isExpectedWrite, type TaskFacts } from './task-so-far.ts'

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
  readonly unattended?: boolean | undefined
  /** What the records of the task say for it; left out, nothing. */
  readonly task?: TaskFacts | undefined
  /** The operator granted it knowing that untrusted content may lead to it; left out, not. */
  readonly isForeseen?: boolean | undefined
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
 * Taint raises neither the write of a document that is new or that the operator named, nor a plain look, nor a question
 * for a reader in the operator's own words, nor what these words asked for, nor what a grant foresaw.
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

  atLeast(tool.floor, floorClause(tool.floor))
  if (!tool.declaresEffects) atLeast(3, 'the tool does not say what it does')
  if (resources.some(isUninspectable)) atLeast(3, 'what the command does cannot be listed beforehand')
  for (const { floor, why } of raisesOfProgram(input)) atLeast(floor, why)
  atLeast(acceptedTier(resources), 'you accepted this tool of a server with this tier')
  if (input.identityFlags) byOne('a name in the call has suspicious characters')
  if (resources.some(isInnerAddress)) byOne('the address is not on the public internet')
  const isTainted = label.integrity === 'untrusted' || requester.kind === 'webhook'
  const isCounted = input.isForeseen !== true && !isExpected(tier, input.task)
  if (tier > 0 && isTainted && isCounted) byOne('untrusted content led to this call')
  return { tier, base, raised }
}

/** Of a tool whose every call counts for no less than this. */
export function floorClause(floor: Tier): string {
  return `this kind of action is at least “${tierName[floor]}”`
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
      return effect.leaves.length > 0 || effect.scope !== 'inside' ? 2 : 1
    case 'read':
    case 'list':
    case 'fetch':
      if (effect.outward || !effect.reversible) return 3
      return effect.verb === 'fetch' || effect.scope !== 'inside' || effect.leaves.length > 0 ? 2 : 0
  }
}

function higher(left: Tier, right: Tier): Tier {
  return left >= right ? left : right
}

function isExpected(tier: Tier, task: TaskFacts | undefined): boolean {
  if (task === undefined) return false
  return (
    (tier === 1 && (isExpectedWrite(task) || task.asked !== null)) ||
    (tier === 2 && (task.look || task.question))
  )
}

/** Of the tools of servers that it calls, as the operator accepted them. */
export function acceptedTier(resources: readonly Resource[]): Tier {
  return resources.reduce<Tier>(
    (highest, resource) => (resource.type === 'server-tool' ? higher(highest, resource.tier) : highest),
    0,
  )
}

/** What a program changes over a view is listed and judged before it counts. */
export function isUninspectable(resource: Resource): boolean {
  return resource.type === 'exec' && resource.uninspectable && !resource.view
}

export function isInnerAddress(resource: Resource): boolean {
  return resource.type === 'url' && resource.addressClass !== 'public' && resource.addressClass !== 'name'
}
