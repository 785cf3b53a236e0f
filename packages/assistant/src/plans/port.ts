/**
 * Owns carrying out a plan: it stands where a model would and replies with the calls of all steps that can begin. What
 * it knows is in the messages that it is given, so it can be asked again at any point. Refuses to go on with a plan
 * that was changed after it began.
 */
import type { Meter, ModelChunk, ModelFailure, ModelPort, ModelUsage, RawCall } from '@countersign/agent'
import { planLimits } from '@countersign/agent'
import type { Plan } from '@countersign/contract'
import { type DecideParts, decide, nothingUsed } from './decide.ts'
import { evaluatePlan, type PlanState, type ReadyCall } from './evaluate.ts'
import { type JournalLine, lineText, noteCall, type PlanHistory, readJournal, remember } from './journal.ts'
import { mostDecisions } from './limits.ts'
import { planEndOf, reportOf } from './report.ts'

export interface PlanPortParts extends DecideParts {
  readonly plan: Pick<Plan, 'name' | 'steps' | 'version'>
  readonly clock: () => Date
  /** The steps that the operator said to leave out, as of now; left out, none. */
  readonly skipped?: () => Promise<readonly string[]>
  /** Ends early, without complaint, when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export function planPort(parts: PlanPortParts): ModelPort {
  return {
    async *stream(request, signal, meter) {
      yield await nextReply(parts, readJournal(request.messages), signal, meter)
    },
  }
}

/** Says one thing and ends the run. */
export function sayingPort(text: string): ModelPort {
  return {
    async *stream() {
      yield ending(text, [], nothingUsed)
    },
  }
}

async function nextReply(
  parts: PlanPortParts,
  known: PlanHistory,
  signal: AbortSignal,
  meter: Meter,
): Promise<ModelChunk> {
  const { plan } = parts
  if (known.version !== undefined && known.version !== plan.version) {
    const words = `The plan was changed while it was running. It started with version ${known.version} and now has ${plan.version}.`
    return ending(
      [words, lineText({ ended: 'failed', words: 'changed while it ran' })].join('\n'),
      [],
      nothingUsed,
    )
  }
  const lines: JournalLine[] = known.version === undefined ? [{ version: plan.version }] : []
  const note = (line: JournalLine) => {
    lines.push(line)
    remember(known, line)
  }
  for (const step of (await parts.skipped?.()) ?? [])
    if (!known.skipped.has(step)) note({ step, skipped: true })
  const thought = await think(parts, known, note, signal, meter)
  const { planState, usage, failure, answers } = thought
  const made = planState.calls.slice(0, planLimits.callsPerTurn)
  const text = (head: string) => [head, ...lines.map(lineText)].filter((each) => each !== '').join('\n')

  if (failure && (made.length === 0 || failure.kind === 'cancelled')) {
    if (answers === 0) return { type: 'failed', failure }
    return ending(text(''), [noteCall(known.decided.size)], usage)
  }
  if (made.length > 0) {
    const delayMs = Math.max(...made.map((call) => call.delayMs))
    if (delayMs > 0) await parts.wait(delayMs, signal)
    if (signal.aborted) {
      if (answers === 0) return { type: 'failed', failure: cancelled }
      return ending(text(''), [noteCall(known.decided.size)], usage)
    }
    for (const { key, step, attempt } of made)
      if (step.timeoutSeconds !== undefined && attempt === 1)
        note({ step: key, began: parts.clock().toISOString() })
    return ending(text(headOf(plan.name, made)), made.map(callOf), usage)
  }
  const { status, words } = planEndOf(planState)
  note({ ended: status, words })
  return ending([reportOf(plan.name, plan.steps, planState), '', text('')].join('\n'), [], usage)
}

interface PlanReply {
  readonly planState: PlanState
  readonly usage: ModelUsage
  /** Why a decision could not be made now. */
  readonly failure: ModelFailure | undefined
  /** How many answers of a model are not in the journal yet. */
  readonly answers: number
}

/** Makes every decision that can be made without a call, one after the other. */
async function think(
  parts: PlanPortParts,
  known: PlanHistory,
  note: (line: JournalLine) => void,
  signal: AbortSignal,
  meter: Meter,
): Promise<PlanReply> {
  let usage = nothingUsed
  let answers = 0
  for (;;) {
    const planState = evaluatePlan(parts.plan.steps, known)
    const late = planState.calls.filter((call) => isLate(call, known, parts.clock()))
    if (late.length > 0) {
      for (const { key } of late) note({ step: key, late: true })
      continue
    }
    const [first] = planState.decisions
    if (!first) return { planState, usage, failure: undefined, answers }
    if (known.decided.size >= mostDecisions) {
      note({ step: first.key, none: `The plan reached the limit of ${mostDecisions} decisions.` })
      continue
    }
    const decision = await decide(first, parts, signal, meter)
    if (decision.kind === 'failed') return { planState, usage, failure: decision.failure, answers }
    usage = {
      input: usage.input + decision.usage.input,
      output: usage.output + decision.usage.output,
      cached: usage.cached + decision.usage.cached,
      reasoning: usage.reasoning + decision.usage.reasoning,
    }
    answers += 1
    const { decided } = decision
    note(
      decided.kind === 'answer'
        ? { step: first.key, answer: decided.text }
        : { step: first.key, none: decided.reason },
    )
  }
}

function isLate({ step, key, attempt }: ReadyCall, known: PlanHistory, now: Date): boolean {
  const began = known.began.get(key)
  if (attempt === 1 || step.timeoutSeconds === undefined || began === undefined) return false
  return now.getTime() - Date.parse(began) > step.timeoutSeconds * 1_000
}

function headOf(name: string, calls: readonly ReadyCall[]): string {
  return `Plan “${name}”: ${calls.map(({ step, attempt }) => (attempt > 1 ? `${step.name}, attempt ${attempt}` : step.name)).join('; ')}`
}

function callOf({ id, tool, args }: ReadyCall): RawCall {
  return { id, name: tool, args }
}

const cancelled: ModelFailure = { kind: 'cancelled', message: 'The plan was interrupted.' }

function ending(text: string, calls: readonly RawCall[], usage: ModelUsage): ModelChunk {
  const finish = calls.length > 0 ? 'calls' : 'stop'
  return { type: 'end', reply: { text, calls, finish, usage, model: 'plan' } }
}
