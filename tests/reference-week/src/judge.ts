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
  type BareFacts,
  type CoveredCall,
  factsOf,
  type GrantCover,
  type GrantOffer,
  type GrantScope,
  heldBy,
  isCovered,
  judgeBare,
  judgeGranted,
  offersOf,
  type PolicySet,
  type Stop,
  withinGatewayReach,
} from '@countersign/policy'
import { builtinTools, type ExecutorTool, parseArgs } from '@countersign/tools'
import { askedPart, type JudgedCall } from './call.ts'

export interface ToolOfWeek {
  readonly name: string
  readonly category: string
  readonly floor: Tier
  readonly output: Label
}

export interface Grant {
  readonly tool: string
  /** Null for every agent. */
  readonly agent: string | null
  readonly covers: readonly GrantCover[]
}

export interface Judgement {
  /** Held: it would ask, and nobody asked for it. */
  readonly kind: Decision['kind'] | 'held'
  readonly tier: Tier
  /** The rules that spoke; `tool` where the tool itself refused. */
  readonly rules: readonly string[]
  readonly byGrant: boolean
  /** What the request offers for a run, a session or a time. */
  readonly scopes: readonly GrantScope[]
  /** What the request offers for a rule. */
  readonly stops: readonly Stop[]
}

/** A program that may run is judged by what it changed as well. */
export function judgeCall(
  call: JudgedCall,
  tool: ToolOfWeek | undefined,
  set: PolicySet,
  grants: readonly Grant[],
): Judgement {
  const judgement = judgeOne(call, tool, set, grants)
  if (judgement.kind !== 'allow' || !call.next) return judgement
  return judgeOne(askedPart(call), executorTools.get(call.next.tool), set, grants)
}

function judgeOne(
  call: JudgedCall,
  tool: ToolOfWeek | undefined,
  set: PolicySet,
  grants: readonly Grant[],
): Judgement {
  if (!tool || call.refused !== null) return refusedByTool
  const facts = factsUnder(call, tool, call.label)
  const { decision: bare, grantable } = judgeBare(facts, set)
  if (!grantable) return judgementOf(bare, noOffer, call)
  const covered = coveredCall(call)
  const isGranted = grants.some(
    (one) =>
      one.tool === call.tool &&
      (one.agent === null || one.agent === call.agent) &&
      isCovered(one.covers, covered),
  )
  if (isGranted || call.leased === true) return judgementOf(judgeGranted(facts, 'grant', set), noOffer, call)
  const again = factsUnder(call, tool, joinLabels(call.label, tool.output))
  return judgementOf(bare, offersOf({ call: covered, facts, again }, set), call)
}

function factsUnder(call: JudgedCall, { name, category, floor }: ToolOfWeek, label: Label): BareFacts {
  const { effects, resources, requester, unattended, facts } = call
  return factsOf({
    tool: { name, category, floor, declaresEffects: true },
    effects,
    resources,
    requester,
    label,
    secrets: secretsOf(call),
    unattended,
    identityFlags: hasDeceptiveName(resources),
    task: facts,
  })
}

export function coveredCall({ tool, args, resources }: JudgedCall): CoveredCall {
  return { tool, argsHash: sha256Hex(canonicalText(args)), resources }
}

const executorTools = new Map(
  builtinTools.flatMap((tool) => (tool.runs === 'executor' ? [[tool.name, tool] as const] : [])),
)

/** With what a call leaves out, as a call is bound. */
function boundText(tool: ExecutorTool | undefined, args: JudgedCall['args']): string {
  const parsed = tool ? parseArgs(tool, args) : undefined
  return canonicalText(parsed?.kind === 'args' ? parsed.args : args)
}

type SecretCall = Pick<JudgedCall, 'tool' | 'args' | 'effects' | 'resources'>

/** Those whose use is a use of what is the operator's. */
export function secretsOf(call: SecretCall): readonly string[] {
  const known = executorTools.get(call.tool)
  return usedSecrets(known, boundText(known, call.args), allSecretsOf(call))
}

/** Those whose handles stand in the arguments, and those that the tool puts in itself and says so. */
export function allSecretsOf({ tool, args, effects, resources }: SecretCall): readonly string[] {
  if (!resources.some(({ type }) => type === 'url')) return []
  const said = effects.flatMap(({ leaves }) =>
    leaves.flatMap((what) => (what.startsWith(secretWords) ? [what.slice(secretWords.length)] : [])),
  )
  return [...new Set([...secretsIn(boundText(executorTools.get(tool), args)), ...said])].toSorted()
}

const secretWords = 'the secret '

export function hostsOf({ resources }: Pick<JudgedCall, 'resources'>): string[] {
  return resources.flatMap((resource) => (resource.type === 'url' ? [resource.host] : []))
}

const noOffer: GrantOffer = { scopes: [], stops: [] }
const refusedByTool: Judgement = { kind: 'deny', tier: 0, rules: ['tool'], byGrant: false, ...noOffer }

function judgementOf(
  decided: Decision,
  { scopes, stops }: GrantOffer,
  { facts }: Pick<JudgedCall, 'facts'>,
): Judgement {
  const decision = withinGatewayReach(decided)
  return {
    kind: heldBy(decision, facts) === null ? decision.kind : 'held',
    tier: decision.tier,
    rules: decision.rules.map(({ id }) => id),
    byGrant: decision.grant !== undefined,
    scopes,
    stops,
  }
}
