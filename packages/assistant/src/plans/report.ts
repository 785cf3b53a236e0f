/** Owns the words with which a plan ends: what came of every step, in a line each. */
import { type PlanStep, shortened } from '@countersign/contract'
import type { PlanState, StepInstance, StepOutcome } from './evaluate.ts'
import type { PlanEnd } from './journal.ts'

const longestWords = 200
const mostLines = 300

export function planEndOf(planState: PlanState): PlanEnd {
  const status = planState.outcome.kind === 'done' ? 'completed' : 'failed'
  const failed = [...planState.instances.values()].find(
    ({ step, outcome }) => outcome.kind === 'failed' && step.onFailure === 'stop',
  )
  const at = status === 'failed' && failed ? `, stopped at “${failed.step.name}”` : ''
  return { status, words: `${countsOf(planState)}${at}` }
}

export function reportOf(name: string, steps: readonly PlanStep[], planState: PlanState): string {
  const ending = planEndOf(planState).status === 'completed' ? 'is carried out' : 'failed'
  const why = planState.outcome.kind === 'failed' ? ` ${oneLine(planState.outcome.reason)}` : ''
  const order = new Map(steps.map(({ id }, place) => [id, place]))
  const lines = [...planState.instances.entries()]
    .toSorted(([, left], [, right]) => (order.get(left.step.id) ?? 0) - (order.get(right.step.id) ?? 0))
    .map(([key, instance]) => lineOf(key, instance))
  const shown =
    lines.length > mostLines
      ? [...lines.slice(0, mostLines), `- and ${lines.length - mostLines} more`]
      : lines
  return [`The plan “${name}” ${ending}: ${countsOf(planState)}.${why}`, '', ...shown].join('\n')
}

function countsOf({ instances }: PlanState): string {
  const outcomes = [...instances.values()].map(({ outcome }) => stateOf(outcome))
  return (['done', 'skipped', 'failed', 'dropped'] as const)
    .flatMap((kind) => {
      const count = outcomes.filter((each) => each === kind).length
      return count === 0 ? [] : [`${count} ${kind === 'dropped' ? 'not begun' : kind}`]
    })
    .join(', ')
}

/** What was still waiting when the plan failed was never begun. */
function stateOf(outcome: StepOutcome): 'done' | 'skipped' | 'failed' | 'dropped' {
  return outcome.kind === 'done' || outcome.kind === 'skipped' || outcome.kind === 'failed'
    ? outcome.kind
    : 'dropped'
}

function lineOf(key: string, { step, outcome }: StepInstance): string {
  const round = key.slice(key.lastIndexOf(':') + 1)
  const where = round === '0' ? step.name : `${step.name} (round ${round})`
  switch (outcome.kind) {
    case 'done':
      return `- ${where}: done${triesOf(outcome.attempts)}. ${oneLine(outcome.text)}`.trimEnd()
    case 'failed':
      return `- ${where}: failed${triesOf(outcome.attempts)}. ${oneLine(outcome.reason)}`
    case 'skipped':
      return `- ${where}: skipped, since ${oneLine(outcome.reason)}.`
    default:
      return `- ${where}: ${step.type === 'parallel' || step.type === 'loop' ? 'not finished' : 'not begun'}.`
  }
}

export function oneLine(text: string): string {
  return shortened(text.replaceAll(/\s+/g, ' ').trim(), longestWords)
}

function triesOf(attempts: number): string {
  return attempts > 1 ? ` at attempt ${attempts}` : ''
}
