/**
 * Owns the judgement of a labelled call, as the kernel judges one: the tool looks, the tier is found, policy decides,
 * and a grant is tried last. Never looks at what was expected.
 */
import { canonicalText, type Decision, forDisplay, type Resource, type Tier } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import {
  type Acquaintance,
  type CoveredCall,
  classify,
  decide,
  type GrantCover,
  isCovered,
  type PolicySet,
} from '@countersign/policy'
import type { LabelledCall } from './call.ts'

export interface ToolOfWeek {
  readonly name: string
  readonly category: string
  readonly floor: Tier
}

export interface Grant {
  readonly tool: string
  readonly agent: string
  readonly covers: readonly GrantCover[]
}

export interface Judgement {
  readonly kind: Decision['kind']
  readonly tier: Tier
  /** The rules that spoke; `tool` where the tool itself refused. */
  readonly rules: readonly string[]
  readonly byGrant: boolean
}

/** What seals without a device. */
const highestGatewayTier = 2

export function judgeCall(
  call: LabelledCall,
  tool: ToolOfWeek | undefined,
  set: PolicySet,
  grants: readonly Grant[],
  acquaintance?: Acquaintance,
): Judgement {
  if (!tool || call.refused !== null) return { kind: 'deny', tier: 0, rules: ['tool'], byGrant: false }
  const { effects, resources, label, requester, unattended } = call
  const told = acquaintance ? { acquaintance } : {}
  const shared = { effects, resources, label, requester, ...told }
  const classification = classify({
    ...shared,
    tool: { ...tool, declaresEffects: true },
    identityFlags: looksDeceptive(resources),
  })
  const facts = { ...shared, tool, classification, unattended }
  const bare = decide({ ...facts, granted: null }, set)
  if (bare.kind !== 'ask' || classification.tier > highestGatewayTier) return judgementOf(bare)
  const covered = coveredCall(call)
  const grant = grants.find(
    (one) => one.tool === call.tool && one.agent === call.agent && isCovered(one.covers, covered),
  )
  return judgementOf(grant ? decide({ ...facts, granted: { id: 'grant' } }, set) : bare)
}

export function coveredCall({ tool, args, resources }: LabelledCall): CoveredCall {
  return { tool, argsHash: sha256Hex(canonicalText(args)), resources }
}

/** A call above the gateway’s own tier needs the seal of a device, so it asks even where policy would not. */
function judgementOf(decision: Decision): Judgement {
  const isSealed = decision.kind === 'allow' && decision.tier > highestGatewayTier
  return {
    kind: isSealed ? 'ask' : decision.kind,
    tier: decision.tier,
    rules: decision.rules.map(({ id }) => id),
    byGrant: decision.grant !== undefined,
  }
}

function looksDeceptive(resources: readonly Resource[]): boolean {
  const names = resources.flatMap((resource) => {
    if (resource.type === 'file') return [resource.path]
    if (resource.type === 'url') return [resource.host]
    if (resource.type === 'exec') return [resource.path, resource.cwd]
    return resource.type === 'record' ? [resource.collection] : []
  })
  return names.some((name) => name.normalize('NFC') !== name || forDisplay(name).flags.length > 0)
}
