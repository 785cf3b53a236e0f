/**
 * Owns the judgement of a labelled call, as the kernel judges one: the tool looks, the tier is found, policy decides,
 * and a grant is tried last. Never looks at what was expected.
 */
import {
  canonicalText,
  type Decision,
  hasDeceptiveName,
  joinLabels,
  type Label,
  secretsIn,
  type Tier,
  usedSecrets,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import {
  type CoveredCall,
  classify,
  decide,
  type GrantCover,
  isCovered,
  isGrantable,
  offersOf,
  type PolicySet,
  type Stop,
} from '@countersign/policy'
import { builtinTools, type ExecutorTool, parseArgs } from '@countersign/tools'
import type { LabelledCall } from './call.ts'

export interface ToolOfWeek {
  readonly name: string
  readonly category: string
  readonly floor: Tier
  readonly output: Label
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
  /** What the request offers for a rule. */
  readonly stops: readonly Stop[]
}

/** What seals without a device. */
const highestGatewayTier = 2

export function judgeCall(
  call: LabelledCall,
  tool: ToolOfWeek | undefined,
  set: PolicySet,
  grants: readonly Grant[],
): Judgement {
  if (!tool || call.refused !== null)
    return { kind: 'deny', tier: 0, rules: ['tool'], byGrant: false, stops: [] }
  const { name, category, floor } = tool
  const factsUnder = (label: Label) => {
    const { effects, resources, requester, unattended } = call
    const shared = { effects, resources, requester, label }
    const classification = classify({
      ...shared,
      tool: { name, category, floor, declaresEffects: true },
      identityFlags: hasDeceptiveName(resources),
    })
    return { ...shared, tool: { name, category }, secrets: secretsOf(call), classification, unattended }
  }
  const facts = factsUnder(call.label)
  const bare = decide({ ...facts, granted: null }, set)
  if (bare.kind !== 'ask' || !isGrantable(facts)) return judgementOf(bare, [])
  const covered = coveredCall(call)
  const grant = grants.find(
    (one) => one.tool === call.tool && one.agent === call.agent && isCovered(one.covers, covered),
  )
  if (grant) return judgementOf(decide({ ...facts, granted: { id: 'grant' } }, set), [])
  const again = factsUnder(joinLabels(call.label, tool.output))
  return judgementOf(bare, offersOf({ call: covered, facts, again }, set).stops)
}

export function coveredCall({ tool, args, resources }: LabelledCall): CoveredCall {
  return { tool, argsHash: sha256Hex(canonicalText(args)), resources }
}

const executorTools = new Map(
  builtinTools.flatMap((tool) => (tool.runs === 'executor' ? [[tool.name, tool] as const] : [])),
)

/** With what a call leaves out, as a call is bound. */
function boundText(tool: ExecutorTool | undefined, args: LabelledCall['args']): string {
  const parsed = tool ? parseArgs(tool, args) : undefined
  return canonicalText(parsed?.kind === 'args' ? parsed.args : args)
}

/** Those whose handles stand in the arguments, and those that the tool puts in itself and says so. */
export function secretsOf({ tool, args, effects, resources }: LabelledCall): readonly string[] {
  if (!resources.some(({ type }) => type === 'url')) return []
  const said = effects.flatMap(({ leaves }) =>
    leaves.flatMap((what) => (what.startsWith(secretWords) ? [what.slice(secretWords.length)] : [])),
  )
  const known = executorTools.get(tool)
  const text = boundText(known, args)
  return usedSecrets(known, text, [...new Set([...secretsIn(text), ...said])].toSorted())
}

const secretWords = 'the secret '

export function hostsOf({ resources }: Pick<LabelledCall, 'resources'>): string[] {
  return resources.flatMap((resource) => (resource.type === 'url' ? [resource.host] : []))
}

/** A call above the gateway’s own tier needs the seal of a device, so it asks even where policy would not. */
function judgementOf(decision: Decision, stops: readonly Stop[]): Judgement {
  const isSealed = decision.kind === 'allow' && decision.tier > highestGatewayTier
  return {
    kind: isSealed ? 'ask' : decision.kind,
    tier: decision.tier,
    rules: decision.rules.map(({ id }) => id),
    byGrant: decision.grant !== undefined,
    stops,
  }
}
