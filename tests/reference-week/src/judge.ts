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
  type GrantedAct,
  type GrantOffer,
  type GrantScope,
  grantedActOf,
  heldBy,
  isCovered,
  judgeBare,
  judgeGranted,
  noOffer,
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
  /** It holds after untrusted content was read as well. */
  readonly untrusted: boolean
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
  /** What it offers that holds after untrusted content was read as well. */
  readonly untrusted: GrantOffer['untrusted']
  readonly act: GrantedAct | null
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
  const { act = null } = facts
  const { decision: bare, grantable } = judgeBare(facts, set)
  if (!grantable) return judgementOf(bare, noOffer, call, act)
  const covered = coveredCall(call)
  const isTainted = call.label.integrity === 'untrusted'
  const grant = grants.find(
    (one) =>
      one.tool === call.tool &&
      (one.agent === null || one.agent === call.agent) &&
      (one.untrusted || !isTainted) &&
      isCovered(one.covers, covered),
  )
  const lease = call.leased === true ? { untrusted: false } : undefined
  const given = grant ?? lease
  if (given) {
    const { untrusted } = given
    return judgementOf(judgeGranted(facts, { id: 'grant', untrusted }, set), noOffer, call, act)
  }
  const again = factsUnder(call, tool, joinLabels(call.label, tool.output))
  return judgementOf(bare, offersOf({ call: covered, facts, again }, set), call, act)
}

function factsUnder(call: JudgedCall, { name, category, floor }: ToolOfWeek, label: Label): BareFacts {
  const { args, effects, resources, requester, unattended, facts } = call
  const secrets = secretsOf(call)
  const inRun = { requester, unattended, firstHand: call.agent === 'assistant', inReader: false }
  return factsOf({
    tool: { name, category, floor, declaresEffects: true },
    effects,
    resources,
    requester,
    label,
    secrets,
    act: grantedActOf({
      ...inRun,
      tool: { name },
      args,
      effects,
      resources,
      secrets: allSecretsOf(call),
      uses: secrets,
    }),
    unattended,
    identityFlags: hasDeceptiveName(resources),
    task: facts,
  })
}

export function coveredCall({ tool, args, resources, effects }: JudgedCall): CoveredCall {
  return { tool, argsHash: sha256Hex(canonicalText(args)), resources, effects }
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

const refusedByTool: Judgement = {
  kind: 'deny',
  tier: 0,
  rules: ['tool'],
  byGrant: false,
  act: null,
  ...noOffer,
}

function judgementOf(
  decided: Decision,
  offer: GrantOffer,
  { facts }: Pick<JudgedCall, 'facts'>,
  act: GrantedAct | null,
): Judgement {
  const decision = withinGatewayReach(decided)
  return {
    kind: heldBy(decision, facts) === null ? decision.kind : 'held',
    tier: decision.tier,
    rules: decision.rules.map(({ id }) => id),
    byGrant: decision.grant !== undefined,
    act,
    ...offer,
  }
}
