/**
 * Owns where a plan stands: from its steps and what is known, what is over, what can begin now, and what never will.
 * Pure, and made anew each time, so that the same past always gives the same future.
 */
import {
  canonicalText,
  type JsonObject,
  type JsonValue,
  mostPlanRounds,
  type PlanGraph,
  type PlanStep,
  type PlanTest,
  planGraph,
  planOrder,
  planReferenceOnly,
} from '@countersign/contract'
import { holds } from './compare.ts'
import { callIdOf, keyOf, type PlanHistory } from './journal.ts'
import { longestBackoffMs, mostRounds } from './limits.ts'
import { filledArgs, filledSide, filledText, type ReferenceScope, valueOf } from './values.ts'

export type StepOutcome =
  | { readonly kind: 'done'; readonly text: string; readonly attempts: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly attempts: number }
  /** What depends on a step that the operator left out goes on without it. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly byOperator?: true }
  /** Something of it was begun and is not over, or can begin now. */
  | { readonly kind: 'running'; readonly attempts: number }
  | { readonly kind: 'ready'; readonly attempts: number }
  | { readonly kind: 'later' }
  /** Never begun, since something beside it failed for good. */
  | { readonly kind: 'dropped' }

export interface ReadyCall {
  readonly id: string
  readonly key: string
  readonly step: PlanStep
  readonly tool: string
  readonly args: string
  readonly attempt: number
  /** How long to wait before it is made again. */
  readonly delayMs: number
}

export interface ReadyDecision {
  readonly key: string
  readonly step: Extract<PlanStep, { type: 'llm_decision' }>
  readonly references: ReferenceScope
}

export interface StepInstance {
  readonly step: PlanStep
  readonly outcome: StepOutcome
}

export interface PlanState {
  readonly outcome: StepOutcome
  readonly calls: readonly ReadyCall[]
  readonly decisions: readonly ReadyDecision[]
  /** Every step in every round that was looked at. */
  readonly instances: ReadonlyMap<string, StepInstance>
}

export function evaluatePlan(steps: readonly PlanStep[], known: PlanHistory): PlanState {
  const work: Evaluation = {
    graph: planGraph(steps),
    known,
    calls: [],
    decisions: [],
    instances: new Map(),
    rounds: 0,
  }
  const top = work.graph.inside.get(null) ?? []
  const outcome = evaluateScope(work, top, {
    rounds: [],
    outcomes: new Map(),
    around: undefined,
    loop: undefined,
  })
  return { outcome, calls: work.calls, decisions: work.decisions, instances: work.instances }
}

interface Evaluation {
  readonly graph: PlanGraph
  readonly known: PlanHistory
  readonly calls: ReadyCall[]
  readonly decisions: ReadyDecision[]
  readonly instances: Map<string, StepInstance>
  rounds: number
}

interface StepScope {
  readonly rounds: readonly number[]
  readonly outcomes: Map<string, StepOutcome>
  readonly around: StepScope | undefined
  readonly loop: { readonly id: string; readonly item: JsonValue; readonly number: number } | undefined
}

const isOver = (outcome: StepOutcome | undefined): boolean =>
  outcome?.kind === 'done' || outcome?.kind === 'failed' || outcome?.kind === 'skipped'

function evaluateScope(work: Evaluation, ids: readonly string[], scope: StepScope): StepOutcome {
  const before = {
    calls: work.calls.length,
    decisions: work.decisions.length,
    instances: work.instances.size,
  }
  const { order } = planOrder(ids, work.graph.waits)
  for (const id of order) {
    const step = work.graph.steps.get(id)
    if (!step) continue
    const waits = [...(work.graph.waits.get(id) ?? [])]
    const outcome = waits.every((each) => isOver(scope.outcomes.get(each)))
      ? evaluateStep(work, step, scope)
      : ({ kind: 'later' } as const)
    scope.outcomes.set(id, outcome)
    work.instances.set(keyOf(id, scope.rounds), { step, outcome })
  }
  const failing = order.find((id) => {
    const outcome = scope.outcomes.get(id)
    return outcome?.kind === 'failed' && work.graph.steps.get(id)?.onFailure === 'stop'
  })
  if (failing !== undefined) return halted(work, order, scope, before, failing)
  const open = ids.filter((id) => !isOver(scope.outcomes.get(id)))
  if (open.length > 0) return { kind: 'running', attempts: 1 }
  const results = Object.fromEntries(
    ids.flatMap((id) => {
      const outcome = scope.outcomes.get(id)
      return outcome?.kind === 'done' ? [[id, outcome.text]] : []
    }),
  )
  return { kind: 'done', text: JSON.stringify(results), attempts: 1 }
}

/** Nothing beside the step that failed begins any more, and nothing inside of what stands beside it. */
function halted(
  work: Evaluation,
  order: readonly string[],
  scope: StepScope,
  before: { readonly calls: number; readonly decisions: number; readonly instances: number },
  failing: string,
): StepOutcome {
  work.calls.length = before.calls
  work.decisions.length = before.decisions
  const inside = [...work.instances].slice(before.instances)
  const holds = ({ step }: StepInstance) => step.type === 'parallel' || step.type === 'loop'
  // A call that is under way comes to its end, and what holds it is over with it.
  const busy = inside.some(([, each]) => each.outcome.kind === 'running' && !holds(each))
  for (const [key, each] of inside) {
    const { kind } = each.outcome
    if (kind === 'later' || kind === 'ready' || (kind === 'running' && holds(each) && !busy))
      work.instances.set(key, { step: each.step, outcome: { kind: 'dropped' } })
  }
  for (const id of order) {
    const instance = work.instances.get(keyOf(id, scope.rounds))
    if (instance) scope.outcomes.set(id, instance.outcome)
  }
  const failed = scope.outcomes.get(failing)
  const reason = failed?.kind === 'failed' ? failed.reason : ''
  const name = work.graph.steps.get(failing)?.name ?? failing
  return { kind: 'failed', reason: `“${name}” failed: ${reason}`, attempts: 1 }
}

function evaluateStep(work: Evaluation, step: PlanStep, scope: StepScope): StepOutcome {
  const reason = skipReason(work, step, scope)
  if (reason !== undefined) return { kind: 'skipped', reason }
  if (isLeftOut(work, step, scope)) return { kind: 'skipped', reason: 'you skipped it', byOperator: true }
  switch (step.type) {
    case 'tool_call':
      return evaluateCall(work, step, scope, step.tool, () =>
        filledArgs(step.args, referencesOf(work, scope)),
      )
    case 'user_input': {
      const question = () =>
        filledText(step.question, referencesOf(work, scope)).slice(0, longestQuestion).toWellFormed()
      return evaluateCall(work, step, scope, 'ask_operator', () => ({
        kind: 'value',
        value: { question: question(), choices: step.choices ?? [] },
      }))
    }
    case 'llm_decision':
      return evaluateDecision(work, step, scope)
    case 'condition':
      return { kind: 'done', text: String(testHolds(step, referencesOf(work, scope))), attempts: 1 }
    case 'parallel':
      return evaluateParallel(work, step, scope)
    case 'loop':
      return evaluateLoop(work, step, scope)
  }
}

const longestQuestion = 4_000

function skipReason(work: Evaluation, step: PlanStep, scope: StepScope): string | undefined {
  const nameOf = (id: string) => `“${work.graph.steps.get(id)?.name ?? id}”`
  for (const { condition, holds: wanted } of work.graph.under.get(step.id) ?? []) {
    const outcome = outcomeIn(scope, condition)
    if (outcome?.kind !== 'done') return `${nameOf(condition)} was not decided`
    if ((outcome.text === 'true') !== wanted)
      return `${nameOf(condition)} ${wanted ? 'does not hold' : 'holds'}`
  }
  const unfulfilled = step.dependsOn.filter((id) => {
    const outcome = outcomeIn(scope, id)
    if (outcome?.kind === 'done' || (outcome?.kind === 'skipped' && outcome.byOperator)) return false
    return !(outcome?.kind === 'failed' && work.graph.steps.get(id)?.onFailure === 'continue')
  })
  const [first] = unfulfilled
  if (first === undefined) return undefined
  if (step.needs === 'any' && unfulfilled.length < step.dependsOn.length) return undefined
  return `${nameOf(first)} ${outcomeIn(scope, first)?.kind === 'failed' ? 'failed' : 'was skipped'}`
}

/** What has begun comes to its end, whatever is said afterwards. */
function isLeftOut({ known }: Evaluation, { id }: PlanStep, { rounds }: StepScope): boolean {
  const key = keyOf(id, rounds)
  return known.skipped.has(id) && !known.proposed.has(callIdOf(key, 1)) && !known.decided.has(key)
}

function evaluateCall(
  work: Evaluation,
  step: PlanStep,
  scope: StepScope,
  tool: string,
  fill: () => ReturnType<typeof filledArgs>,
): StepOutcome {
  const key = keyOf(step.id, scope.rounds)
  const most = step.retries?.most ?? 0
  for (let attempt = 1; ; attempt += 1) {
    const id = callIdOf(key, attempt)
    const result = work.known.results.get(id)
    if (result && !result.isError) return { kind: 'done', text: result.text, attempts: attempt }
    if (result) {
      if (attempt <= most && mayTryAgain(result.text) && !work.known.late.has(key)) continue
      return { kind: 'failed', reason: result.text, attempts: attempt }
    }
    if (work.known.proposed.has(id)) return { kind: 'running', attempts: attempt }
    const filled = fill()
    if (filled.kind === 'missing') return { kind: 'skipped', reason: filled.reason }
    if (filled.kind === 'unsafe') return { kind: 'failed', reason: filled.reason, attempts: attempt }
    const args = argsText(filled.value)
    work.calls.push({ id, key, step, tool, args, attempt, delayMs: backoff(step, attempt) })
    return { kind: 'ready', attempts: attempt }
  }
}

function evaluateDecision(
  work: Evaluation,
  step: Extract<PlanStep, { type: 'llm_decision' }>,
  scope: StepScope,
): StepOutcome {
  const key = keyOf(step.id, scope.rounds)
  const decided = work.known.decided.get(key)
  if (decided?.kind === 'answer') return { kind: 'done', text: decided.text, attempts: 1 }
  if (decided) return { kind: 'failed', reason: decided.reason, attempts: 1 }
  work.decisions.push({ key, step, references: referencesOf(work, scope) })
  return { kind: 'ready', attempts: 1 }
}

function evaluateParallel(
  work: Evaluation,
  step: Extract<PlanStep, { type: 'parallel' }>,
  scope: StepScope,
): StepOutcome {
  const inner: StepScope = { rounds: scope.rounds, outcomes: new Map(), around: scope, loop: undefined }
  const outcome = evaluateScope(work, work.graph.inside.get(step.id) ?? [], inner)
  // What is inside happens once, so whoever waits for the whole can name a part of it.
  for (const [id, each] of inner.outcomes) scope.outcomes.set(id, each)
  return outcome
}

function evaluateLoop(
  work: Evaluation,
  step: Extract<PlanStep, { type: 'loop' }>,
  scope: StepScope,
): StepOutcome {
  const items = itemsOf(step, referencesOf(work, scope))
  if ('outcome' in items) return items.outcome
  const inside = work.graph.inside.get(step.id) ?? []
  const results: string[] = []
  for (const [place, item] of items.list.entries()) {
    work.rounds += 1
    if (work.rounds > mostRounds)
      return {
        kind: 'failed',
        reason: `The loops of the plan reached the limit of ${mostRounds} rounds.`,
        attempts: 1,
      }
    const number = place + 1
    const inner: StepScope = {
      rounds: [...scope.rounds, number],
      outcomes: new Map(),
      around: scope,
      loop: { id: step.id, item, number },
    }
    const outcome = evaluateScope(work, inside, inner)
    if (outcome.kind === 'failed') return { ...outcome, reason: `Round ${number}: ${outcome.reason}` }
    if (outcome.kind !== 'done') return { kind: 'running', attempts: 1 }
    results.push(outcome.text)
    if (step.until && testHolds(step.until, referencesOf(work, inner))) break
  }
  return { kind: 'done', text: `[${results.join(',')}]`, attempts: 1 }
}

function itemsOf(
  step: Extract<PlanStep, { type: 'loop' }>,
  references: ReferenceScope,
): { readonly list: readonly JsonValue[] } | { readonly outcome: StepOutcome } {
  const { over, count } = step
  if (over === undefined) return { list: Array.from({ length: count ?? 0 }, (_, place) => place + 1) }
  if (typeof over !== 'string') return { list: over }
  const reference = planReferenceOnly(over)
  const found = reference && valueOf(reference, references)
  if (reference && found === undefined)
    return { outcome: { kind: 'skipped', reason: references.missing(reference.step) } }
  if (!Array.isArray(found))
    return { outcome: { kind: 'failed', reason: `${over} is no list.`, attempts: 1 } }
  if (found.length > mostPlanRounds)
    return {
      outcome: {
        kind: 'failed',
        reason: `${over} has ${found.length} items; a loop takes at most ${mostPlanRounds}.`,
        attempts: 1,
      },
    }
  return { list: found }
}

function testHolds({ left, operator, right }: PlanTest, references: ReferenceScope): boolean {
  return holds(
    operator,
    filledSide(left, references),
    right === undefined ? undefined : filledSide(right, references),
  )
}

function outcomeIn(scope: StepScope | undefined, id: string): StepOutcome | undefined {
  for (let at = scope; at; at = at.around) {
    const found = at.outcomes.get(id)
    if (found) return found
  }
  return undefined
}

function referencesOf(work: Evaluation, scope: StepScope): ReferenceScope {
  return {
    result(step) {
      const outcome = outcomeIn(scope, step)
      return outcome?.kind === 'done' ? outcome.text : undefined
    },
    loop(step) {
      for (let at: StepScope | undefined = scope; at; at = at.around) if (at.loop?.id === step) return at.loop
      return undefined
    },
    missing(step) {
      const outcome = outcomeIn(scope, step)
      const name = `“${work.graph.steps.get(step)?.name ?? step}”`
      if (outcome?.kind === 'failed') return `${name} failed: ${outcome.reason}`
      return `${name} ${outcome?.kind === 'done' ? 'has no such part in its result' : 'was skipped'}`
    },
  }
}

function backoff({ retries }: PlanStep, attempt: number): number {
  if (!retries || attempt === 1) return 0
  return Math.min(longestBackoffMs, Math.round(retries.baseMs * retries.factor ** (attempt - 2)))
}

/** What a person or a rule refused is not asked again. */
function mayTryAgain(text: string): boolean {
  return !/^(?:The operator denied this|The operator did not decide|Nobody decided in time|Refused by policy|Not executed: the run was stopped)/.test(
    text,
  )
}

/** One text for one value, whatever the order in which results brought its parts. */
function argsText(args: JsonObject): string {
  try {
    return canonicalText(args)
  } catch {
    return JSON.stringify(args)
  }
}
