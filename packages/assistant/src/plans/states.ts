/** Owns what a person is shown of a plan that runs or ran: one state for each step, whatever the rounds. */
import type { ModelMessage } from '@countersign/agent'
import { type Plan, type PlanStepState, planGraph } from '@countersign/contract'
import { evaluatePlan, type StepInstance } from './evaluate.ts'
import { readJournal } from './journal.ts'
import { oneLine } from './report.ts'

/** `waiting` has the ids of the calls that a person must decide on or answer. */
export function stepStates(
  { steps, skipped = [] }: Pick<Plan, 'steps'> & Partial<Pick<Plan, 'skipped'>>,
  messages: readonly ModelMessage[],
  waiting: ReadonlySet<string> = new Set(),
): PlanStepState[] {
  const known = readJournal(messages)
  for (const step of skipped) known.skipped.add(step)
  const begun = known.version !== undefined || known.proposed.size > 0
  const { instances, calls } = evaluatePlan(steps, known)
  const asked = new Set([...waiting].map((id) => id.replace(/^plan:/, '').replace(/:\d+$/, '')))
  const byStep = new Map<string, { key: string; instance: StepInstance }[]>()
  for (const [key, instance] of instances)
    byStep.set(instance.step.id, [...(byStep.get(instance.step.id) ?? []), { key, instance }])
  const graph = planGraph(steps)
  const stateOf = (id: string): PlanStepState => {
    const all = byStep.get(id) ?? []
    const last = all.at(-1)
    const times = all.filter(({ instance: { outcome } }) => outcome.kind === 'done').length
    const nothing = { step: id, times, attempts: 0, words: '' }
    if (!begun) return { ...nothing, state: 'later' }
    if (last)
      return {
        step: id,
        times,
        ...shown(
          last,
          asked,
          calls.some(({ step, attempt }) => step.id === id && attempt > 1),
        ),
      }
    // What was never looked at shares the fate of what holds it.
    const holder = graph.within.get(id)
    const around = holder ? stateOf(holder) : undefined
    if (around?.state === 'skipped') return { ...nothing, state: 'skipped', words: around.words }
    return { ...nothing, state: around?.state === 'dropped' ? 'dropped' : 'later' }
  }
  const states = steps.map(({ id }) => stateOf(id))
  const held = new Set(
    states.flatMap(({ step, state }) => (state === 'waits' ? [graph.within.get(step) ?? ''] : [])),
  )
  return states.map((each) =>
    held.has(each.step) && each.state === 'running' ? { ...each, state: 'waits' } : each,
  )
}

function shown(
  { key, instance: { outcome } }: { readonly key: string; readonly instance: StepInstance },
  asked: ReadonlySet<string>,
  again: boolean,
): Pick<PlanStepState, 'state' | 'attempts' | 'words'> {
  switch (outcome.kind) {
    case 'done':
      return { state: 'done', attempts: outcome.attempts, words: oneLine(outcome.text) }
    case 'failed':
      return { state: 'failed', attempts: outcome.attempts, words: oneLine(outcome.reason) }
    case 'skipped':
      return { state: 'skipped', attempts: 0, words: oneLine(outcome.reason) }
    case 'running':
      return { state: asked.has(key) ? 'waits' : 'running', attempts: outcome.attempts, words: '' }
    case 'ready':
      return { state: again ? 'running' : 'ready', attempts: outcome.attempts - 1, words: '' }
    case 'later':
      return { state: 'later', attempts: 0, words: '' }
    case 'dropped':
      return { state: 'dropped', attempts: 0, words: '' }
  }
}
