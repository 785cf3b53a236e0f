/** Owns how the steps of a plan hang together: which holds which, and which waits for which. Pure, and never fails. */
import type { JsonValue } from '../json/value.ts'
import { planReferencesIn, type ReadReference } from './reference.ts'
import type { PlanStep } from './step.ts'

export interface PlanGraph {
  readonly steps: ReadonlyMap<string, PlanStep>
  /** The parallel or loop that a step is in; null beside the others. */
  readonly within: ReadonlyMap<string, string | null>
  /** The steps of each holder in the order of the plan; those of nobody are under null. */
  readonly inside: ReadonlyMap<string | null, readonly string[]>
  /** The steps beside it that must be over before a step begins, whatever made them so. */
  readonly waits: ReadonlyMap<string, ReadonlySet<string>>
  /** The conditions that a step is carried out under. */
  readonly under: ReadonlyMap<string, readonly PlanBranch[]>
}

export interface PlanBranch {
  readonly condition: string
  readonly holds: boolean
}

export function planGraph(steps: readonly PlanStep[]): PlanGraph {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const within = new Map<string, string | null>(steps.map(({ id }) => [id, null]))
  for (const step of steps)
    for (const held of planStepsIn(step)) if (byId.has(held) && held !== step.id) within.set(held, step.id)
  const inside = new Map<string | null, string[]>([[null, []]])
  for (const { id } of steps) {
    const holder = within.get(id) ?? null
    inside.set(holder, [...(inside.get(holder) ?? []), id])
  }
  const under = new Map<string, PlanBranch[]>()
  for (const step of steps) {
    if (step.type !== 'condition') continue
    for (const [holds, named] of [
      [true, step.onTrue],
      [false, step.onFalse],
    ] as const)
      for (const id of named) under.set(id, [...(under.get(id) ?? []), { condition: step.id, holds }])
  }
  const waits = new Map<string, Set<string>>(steps.map(({ id }) => [id, new Set()]))
  for (const step of steps) {
    const before = [
      ...step.dependsOn,
      ...(under.get(step.id) ?? []).map(({ condition }) => condition),
      ...[...planStepReferences(step), ...planUntilReferences(step)].flatMap((each) =>
        each.kind === 'reference' ? [each.reference.step] : [],
      ),
    ]
    for (const id of before) {
      if (!byId.has(id)) continue
      const place = beside(within, id, step.id)
      if (place) waits.get(place.later)?.add(place.earlier)
    }
  }
  return { steps: byId, within, inside, waits, under }
}

/** The two steps of one holder that hold the two, or are them; nothing where one of them holds the other. */
export function beside(
  within: PlanGraph['within'],
  earlier: string,
  later: string,
): { readonly earlier: string; readonly later: string } | undefined {
  const above = (id: string) => {
    const chain = [id]
    for (let at = within.get(id); at && !chain.includes(at); at = within.get(at)) chain.push(at)
    return chain
  }
  const first = above(earlier)
  for (const id of above(later)) {
    const found = first.find((each) => (within.get(each) ?? null) === (within.get(id) ?? null))
    if (found !== undefined) return found === id ? undefined : { earlier: found, later: id }
  }
  return undefined
}

/** Steps of one holder with each behind what it waits for, and those that can never begin since they wait in a ring. */
export function planOrder(
  ids: readonly string[],
  waits: PlanGraph['waits'],
): { readonly order: readonly string[]; readonly ring: readonly string[] } {
  const order: string[] = []
  const left = new Set(ids)
  for (let found = true; found; ) {
    found = false
    for (const id of ids) {
      if (!left.has(id) || [...(waits.get(id) ?? [])].some((before) => left.has(before))) continue
      left.delete(id)
      order.push(id)
      found = true
    }
  }
  return { order, ring: [...left] }
}

export function planStepsIn(step: PlanStep): readonly string[] {
  return step.type === 'parallel' || step.type === 'loop' ? step.steps : []
}

/** What a step refers to before it begins. */
export function planStepReferences(step: PlanStep): ReadReference[] {
  return planReferencesIn(textsOf(step))
}

/** What a loop refers to after each round: also to what is inside it. */
export function planUntilReferences(step: PlanStep): ReadReference[] {
  return step.type === 'loop' && step.until ? planReferencesIn([step.until.left, step.until.right ?? '']) : []
}

/** The loops that a step is in, the innermost first. */
export function planLoopsAround(graph: PlanGraph, id: string): string[] {
  const found: string[] = []
  const seen = new Set([id])
  for (let at = graph.within.get(id); at && !seen.has(at); at = graph.within.get(at)) {
    seen.add(at)
    if (graph.steps.get(at)?.type === 'loop') found.push(at)
  }
  return found
}

function textsOf(step: PlanStep): JsonValue {
  switch (step.type) {
    case 'tool_call':
      return step.args
    case 'llm_decision':
      return step.prompt
    case 'user_input':
      return step.question
    case 'condition':
      return [step.left, step.right ?? '']
    case 'parallel':
      return []
    case 'loop':
      return step.over ?? []
  }
}
