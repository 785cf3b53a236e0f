/**
 * Owns what is known of a plan before it begins: what the door would say to each call, where it will stop for the
 * operator, and which calls can be approved ahead. Looks only; nothing is done.
 */
import { createHash } from 'node:crypto'
import {
  canonicalText,
  type InnerCall,
  type JsonObject,
  type Label,
  type Plan,
  type PlanGraph,
  type PlanPreview,
  type PlanPreviewStep,
  type PlanStep,
  planGraph,
  planLoopsAround,
  planReferencesIn,
  type ToolCatalogue,
  type ToolFacts,
  type TriedCall,
  tierName,
  validatePlan,
} from '@countersign/contract'

export interface PreviewParts {
  readonly id: string
  readonly plan: Pick<Plan, 'steps' | 'version'>
  /** What the plan itself was made from. */
  readonly label: Label | null
  readonly catalogue: ToolCatalogue
  /** What the door says to a call that is not made. */
  readonly tryCall: (call: { readonly tool: string; readonly args: string }) => Promise<readonly TriedCall[]>
}

export type LeasedCall = PlanPreview['lease'][number]

/** Looking at many calls at once would keep the executor from its work. */
const atOnce = 8
const mostLeased = 200
/** A grant ahead never covers more: beyond it a device seals the call as it is at that moment. */
const highestAhead = 2

export async function previewPlan(parts: PreviewParts): Promise<PlanPreview> {
  const { plan, id, catalogue } = parts
  const problems = validatePlan(plan, catalogue)
  const graph = planGraph(plan.steps)
  const shown: PlanPreviewStep[] = []
  const lease: LeasedCall[] = []
  const asking = plan.steps.filter(({ type }) => type === 'tool_call' || type === 'user_input')
  for (let from = 0; problems.length === 0 && from < asking.length; from += atOnce) {
    const looked = await Promise.all(
      asking.slice(from, from + atOnce).map((step) => previewStep(step, graph, parts)),
    )
    for (const { step, calls } of looked) {
      shown.push(step)
      if (lease.length + calls.length <= mostLeased) lease.push(...calls)
    }
  }
  const leased = new Set(lease.map(({ step }) => step))
  const steps = shown.map((step) => ({ ...step, ahead: step.ahead && leased.has(step.step) }))
  return {
    plan: id,
    version: plan.version,
    steps,
    stops: stopsIn(steps),
    lease,
    digest: digestOf(id, plan.version, lease),
    problems,
  }
}

/** What is granted when the operator names the digest of the preview: these calls, to the byte. */
export function leaseOf(preview: PlanPreview): { tool: string; args: string; headline: string }[] {
  return preview.lease.map(({ tool, args, headline }) => ({ tool, args, headline }))
}

function digestOf(plan: string, version: number, lease: readonly LeasedCall[]): string {
  const calls = lease.map(({ step, tool, args }) => ({ step, tool, args }))
  return createHash('sha256').update(canonicalText({ plan, version, calls })).digest('hex')
}

interface PreviewedStep {
  readonly step: PlanPreviewStep
  readonly calls: readonly LeasedCall[]
}

async function previewStep(step: PlanStep, graph: PlanGraph, parts: PreviewParts): Promise<PreviewedStep> {
  const told = { step: step.id, name: step.name, ahead: false }
  if (step.type !== 'tool_call') {
    const question = step.type === 'user_input' ? step.question : step.name
    const asked = {
      tool: 'ask_operator',
      headline: question,
      tier: 0 as const,
      decision: 'question' as const,
    }
    return { step: { ...told, ...asked, why: 'It asks you a question.' }, calls: [] }
  }
  const { tool, args } = step
  if (planReferencesIn(args).length > 0) {
    const why = 'Its arguments come from earlier steps, so its needs are not known yet.'
    return { step: { ...told, tool, headline: tool, tier: null, decision: 'may', why }, calls: [] }
  }
  const inner = innerCalls(tool, args, parts.catalogue)
  const tried = await parts.tryCall({ tool, args: canonicalText(args) })
  const worst = tried.toSorted((left, right) => weightOf(right) - weightOf(left))[0]
  if (worst?.kind !== 'judged') {
    const why = worst?.reason ?? 'It could not be checked.'
    return { step: { ...told, tool, headline: tool, tier: null, decision: 'impossible', why }, calls: [] }
  }
  const { decision, card } = worst
  const tainted = isTainted(step, graph, parts)
  const judged = { ...told, tool, headline: card.headline, tier: card.tier }
  if (decision === 'allow') {
    if (!tainted || card.tier === 0) return { step: { ...judged, decision, why: card.why.reason }, calls: [] }
    return { step: { ...judged, decision: 'may', why: taintedWords }, calls: [] }
  }
  const times = timesOf(step, graph)
  const usesSecret = tried.some((one) => one.kind === 'judged' && one.secrets.length > 0)
  const ahead =
    decision === 'ask' &&
    card.tier <= highestAhead &&
    !tainted &&
    !usesSecret &&
    times !== undefined &&
    inner.length === tried.length
  if (!ahead)
    return {
      step: {
        ...judged,
        decision,
        why: whyNotAhead(card.tier, decision, { tainted, usesSecret }, card.why.reason),
      },
      calls: [],
    }
  const once = inner.map((call, place) => {
    const one = tried[place]
    const headline = one?.kind === 'judged' ? one.card.headline : card.headline
    return { step: step.id, tool: call.tool, args: canonicalText(call.args), headline }
  })
  return {
    step: { ...judged, decision, ahead: true, why: card.why.reason },
    calls: Array.from({ length: times }, () => once).flat(),
  }
}

const taintedWords = 'An earlier step may bring in untrusted content; it would then ask.'

function whyNotAhead(
  tier: number,
  decision: string,
  { tainted, usesSecret }: { tainted: boolean; usesSecret: boolean },
  reason: string,
): string {
  if (decision === 'deny') return reason
  if (usesSecret) return `${reason} It cannot be approved in advance.`
  if (tier > highestAhead) return `${reason} It is sealed when it runs, so it cannot be approved in advance.`
  return tainted
    ? `${reason} An earlier step may bring in untrusted content, so it cannot be approved in advance.`
    : reason
}

function weightOf(tried: TriedCall): number {
  if (tried.kind === 'impossible') return 100
  return { allow: 0, ask: 10, deny: 20 }[tried.decision] + tried.card.tier
}

/** The calls that stand behind one, as the door would see them. Empty where they cannot be told. */
function innerCalls(name: string, args: JsonObject, catalogue: ToolCatalogue): InnerCall[] {
  let call: InnerCall = { tool: name, args }
  for (let level = 0; level < 4; level += 1) {
    const tool: ToolFacts | undefined = catalogue.find(call.tool)
    const parsed = tool?.parse(call.args)
    if (!tool || parsed?.kind !== 'args') return []
    if (!tool.unwrap) return [{ tool: tool.name, args: parsed.args }]
    const inner = tool.unwrap(parsed.args)
    if (inner.kind === 'many') return []
    call = inner.call
  }
  return []
}

/** How often a call with these arguments is made at most; undefined where only a result says. */
function timesOf(step: PlanStep, graph: PlanGraph): number | undefined {
  let times = 1
  for (const id of planLoopsAround(graph, step.id)) {
    const loop = graph.steps.get(id)
    if (loop?.type !== 'loop' || typeof loop.over === 'string') return undefined
    times *= loop.over?.length ?? loop.count ?? 1
  }
  return times <= mostLeased ? times : undefined
}

/** Whether untrusted content may be there before the call: from the plan itself, or from a step that can come first. */
function isTainted(step: PlanStep, graph: PlanGraph, { label, catalogue, plan }: PreviewParts): boolean {
  if (label?.integrity === 'untrusted') return true
  const after = followersOf(step.id, graph)
  const loops = new Set(planLoopsAround(graph, step.id))
  return plan.steps.some((other) => {
    if (other.type !== 'tool_call' || other.id === step.id) return false
    if (catalogue.find(other.tool)?.output.integrity !== 'untrusted') return false
    const repeats = planLoopsAround(graph, other.id).some((loop) => loops.has(loop))
    return repeats || !after.has(other.id)
  })
}

/** The steps that never begin before this one is over. */
function followersOf(id: string, graph: PlanGraph): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (step: string) => {
    if (found.has(step)) return
    found.add(step)
    for (const inside of graph.inside.get(step) ?? []) add(inside)
    for (const [later, waits] of graph.waits) if (waits.has(step)) add(later)
  }
  const chain = [id]
  for (let at = graph.within.get(id); at; at = graph.within.get(at)) chain.push(at)
  for (const each of chain) for (const [later, waits] of graph.waits) if (waits.has(each)) add(later)
  return found
}

function stopsIn(steps: readonly PlanPreviewStep[]): string {
  const named = (each: PlanPreviewStep) =>
    `${each.name} (${each.decision === 'question' ? 'a question' : each.tier === null ? 'not known yet' : tierName[each.tier]})`
  const certain = steps.filter(({ decision }) => decision === 'ask' || decision === 'question')
  const possible = steps.filter(({ decision }) => decision === 'may')
  const refused = steps.filter(({ decision }) => decision === 'deny' || decision === 'impossible')
  return [
    certain.length === 0
      ? 'No stops for you.'
      : `${certain.length} ${certain.length === 1 ? 'stop' : 'stops'} for you: ${certain.map(named).join(', ')}.`,
    ...(possible.length === 0
      ? []
      : [`${possible.length} more may stop: ${possible.map(named).join(', ')}.`]),
    ...(refused.length === 0
      ? []
      : [`${refused.length} would be refused now: ${refused.map(({ name }) => name).join(', ')}.`]),
  ].join(' ')
}
