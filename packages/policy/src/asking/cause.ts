/** Owns why a call is asked about, as one cause, and what would make such calls stop asking. Pure; words are elsewhere. */
import {
  type Autonomy,
  type Effect,
  hasDeceptiveName,
  type Label,
  type Requester,
  type Resource,
  type RuleRef,
  type Tier,
} from '@countersign/contract'
import { acceptedTier, isInnerAddress, tierOfEffect } from '../classify.ts'
import type { AskOutlook } from './outlook.ts'

/** What a request knows of its call. */
export interface AskedFacts {
  readonly rules: readonly Pick<RuleRef, 'id' | 'why'>[]
  readonly tier: Tier
  readonly label: Label
  readonly effects: readonly Effect[]
  readonly resources: readonly Resource[]
  readonly requester: Requester
  readonly outlook: AskOutlook
}

/** What others wrote and the task has read, as far as people tell it apart. */
export type Strangers = 'page' | 'content'
export type LikelyAction = 'reach' | 'change' | 'look' | 'act'

export type AskCause =
  | { readonly kind: FixedCause }
  | { readonly kind: 'own-rule'; readonly why: string }
  | {
      readonly kind: 'strangers'
      readonly read: Strangers
      readonly private: boolean
      readonly would: LikelyAction
    }

export type FixedCause =
  | 'authority'
  | 'passkey'
  | 'money'
  | 'secret'
  | 'program'
  | 'sent'
  | 'seen'
  | 'permanent'
  | 'runs-by-itself'
  | 'kind'
  | 'deceptive'
  | 'inner'
  | 'lets-in'
  | 'server-outward'
  | 'server-critical'
  | 'secret-seen'
  | 'webhook'
  | 'peer'
  | 'private'
  | 'outside'
  | 'schedule'
  | 'unattended'
  | 'level'
  | 'host'
  | 'leaves'
  | 'run-by-programs'
  | 'opens'
  | 'removes'
  | 'changes'
  | 'looks'

export type AskEnd =
  | { readonly kind: 'scopes'; readonly target: Target }
  | { readonly kind: 'rule' | 'untrusted-rule'; readonly target: Target }
  | { readonly kind: 'unread' | 'unread-rule'; readonly read: Strangers }
  | { readonly kind: 'own-rule' | 'policy' | 'nothing' }
  | { readonly kind: 'level'; readonly level: Autonomy }
export type Target = 'file' | 'host' | 'targets'

/** What lies in the call itself comes before what lies in its task, and that before what the level says. */
export function causeOf(asked: AskedFacts): AskCause {
  const { label, tier } = asked
  const spoke = new Set(asked.rules.map(({ id }) => id))
  const fixed = inherentOf(asked, spoke) ?? requesterOf(spoke)
  if (fixed !== null) return { kind: fixed }
  if (label.integrity === 'untrusted' && (spoke.has('base.rule-of-two') || tier > ownTier(asked.effects)))
    return {
      kind: 'strangers',
      read: strangersIn(label),
      private: label.confidentiality !== 'public' && spoke.has('base.rule-of-two'),
      would: actionOf(asked.effects),
    }
  const own = asked.rules.find(({ id }) => isOwn(id))
  if (own !== undefined) return { kind: 'own-rule', why: own.why }
  return { kind: ruleCauses.find(([id]) => spoke.has(id))?.[1] ?? effectOf(asked.effects) }
}

/** Only what policy itself, or the one rule that spoke, bears out is promised. */
export function endOf(asked: AskedFacts): AskEnd {
  const { outlook, tier, label, resources } = asked
  const ids = asked.rules.map(({ id }) => id)
  if (outlook.scopes.length > 0) return { kind: 'scopes', target: targetOf(resources) }
  if (outlook.stops.length > 0) return { kind: 'rule', target: targetOf(resources) }
  if (outlook.untrusted.stops.length > 0) return { kind: 'untrusted-rule', target: targetOf(resources) }
  if (outlook.unread === 'runs') return { kind: 'unread', read: strangersIn(label) }
  if (outlook.unread === 'rule') return { kind: 'unread-rule', read: strangersIn(label) }
  if (causeOf(asked).kind === 'own-rule') return { kind: 'own-rule' }
  if (tier <= 2 && ids.every((id) => id === 'base.approval')) return { kind: 'policy' }
  if (tier <= 2 && ids.every((id) => id === 'level.none')) return { kind: 'level', level: levelFor(tier) }
  return { kind: 'nothing' }
}

/** Whether it lies in the call itself, so that no task and no level is without it. */
export function isInherent({ kind }: AskCause): boolean {
  return inherent.has(kind)
}

const inherent: ReadonlySet<AskCause['kind']> = new Set<AskCause['kind']>([
  'authority',
  'passkey',
  'money',
  'secret',
  'program',
  'sent',
  'seen',
  'permanent',
  'runs-by-itself',
  'kind',
  'deceptive',
  'inner',
  'lets-in',
  'server-outward',
  'server-critical',
])

function inherentOf(
  { tier, effects, resources, label }: AskedFacts,
  spoke: ReadonlySet<string>,
): FixedCause | null {
  const does = (verb: Effect['verb']) => effects.some((effect) => effect.verb === verb)
  if (tier >= 3 && resources.some((each) => each.type === 'extension' && each.op !== 'use')) return 'lets-in'
  const accepted = acceptedTier(resources)
  if (accepted >= 3) return accepted === 4 ? 'server-critical' : 'server-outward'
  if (tier === 4) return does('authority') ? 'authority' : does('spend') ? 'money' : 'passkey'
  if (spoke.has('base.secret-used')) return 'secret'
  if (tier < 3) return null
  if (ownTier(effects) >= 3) {
    if (does('spend')) return 'money'
    if (does('execute')) return 'program'
    if (does('send')) return 'sent'
    if (effects.some(({ outward }) => outward)) return 'seen'
    return effects.some(({ reversible }) => !reversible) ? 'permanent' : 'runs-by-itself'
  }
  if (hasDeceptiveName(resources)) return 'deceptive'
  if (resources.some(isInnerAddress)) return 'inner'
  // Untrusted content raises by one at most; what is more than that the kind of the tool says.
  return label.integrity === 'untrusted' && ownTier(effects) === 2 ? null : 'kind'
}

function requesterOf(spoke: ReadonlySet<string>): FixedCause | null {
  if (spoke.has('base.secret-leaves')) return 'secret-seen'
  if (spoke.has('base.webhook')) return 'webhook'
  return spoke.has('base.peer') ? 'peer' : null
}

const ruleCauses: readonly (readonly [string, FixedCause])[] = [
  ['base.private-leaves', 'private'],
  ['base.outside', 'outside'],
  ['base.schedule', 'schedule'],
  ['base.unattended', 'unattended'],
  ['level.none', 'level'],
]

function effectOf(effects: readonly Effect[]): FixedCause {
  if (effects.some(({ verb }) => verb === 'fetch')) return 'host'
  if (effects.some(({ leaves }) => leaves.length > 0)) return 'leaves'
  if (effects.some(({ scope }) => scope === 'host-run')) return 'run-by-programs'
  if (effects.some(({ scope }) => scope === 'opened')) return 'opens'
  if (effects.some(({ verb }) => verb === 'delete')) return 'removes'
  return effects.some(isChange) ? 'changes' : 'looks'
}

function actionOf(effects: readonly Effect[]): LikelyAction {
  if (effects.some(isChange)) return 'change'
  if (effects.some(({ verb, leaves }) => verb === 'fetch' || leaves.length > 0)) return 'reach'
  return effects.some(({ verb }) => verb === 'read' || verb === 'list') ? 'look' : 'act'
}

const isChange = ({ verb }: Effect) => verb === 'write' || verb === 'delete'
const isOwn = (id: string) => !id.startsWith('base.') && !id.startsWith('level.')
const ownTier = (effects: readonly Effect[]) =>
  effects.reduce((highest, effect) => Math.max(highest, tierOfEffect(effect)), 0)
const levelFor = (tier: Tier): Autonomy => (tier === 0 ? 'low' : tier === 1 ? 'medium' : 'high')

function strangersIn({ sources }: Label): Strangers {
  return sources.length === 1 && sources[0] === 'web' ? 'page' : 'content'
}

function targetOf(resources: readonly Resource[]): Target {
  const [only, ...more] = resources
  if (only === undefined || more.length > 0) return 'targets'
  return only.type === 'file' ? 'file' : only.type === 'url' ? 'host' : 'targets'
}
