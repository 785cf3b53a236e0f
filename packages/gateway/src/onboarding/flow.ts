/**
 * Owns the flow of the first run: which steps there are, how far each is, and taking one answer after the other. The
 * terminal and the browser go through the same one. Refuses to skip what the rest stands on.
 */
import {
  CountersignError,
  type JsonObject,
  type Onboarding,
  type OnboardingSummary,
  type OperatorId,
  type ReadSetupAnswer,
  type SetupState,
  type SetupStep,
  SetupStepId,
} from '@countersign/contract'
import type { EntryDraft } from '@countersign/kernel'
import type { ActingOperator } from '../server/secrets.ts'
import type { SetupStepHandler, SetupStepHandlers } from './setup-step.ts'
import { newStepRecord, type StepRecord, type StepRecords } from './step-records.ts'

export interface FlowParts {
  readonly handlers: SetupStepHandlers
  readonly records: StepRecords
  readonly act: (operator: OperatorId, entry: EntryDraft) => Promise<number>
  readonly clock: () => Date
}

export interface OnboardingFlow {
  view(operator: OperatorId): Promise<Onboarding>
  summary(): OnboardingSummary
  answer<Id extends SetupStepId>(
    by: ActingOperator,
    id: Id,
    answer: ReadSetupAnswer<Id>,
    signal: AbortSignal,
  ): Promise<Onboarding>
  skip(by: ActingOperator, id: SetupStepId): Promise<Onboarding>
}

export function createFlow({ handlers, records, act, clock }: FlowParts): OnboardingFlow {
  // One answer after the other: two at once could both add the same provider.
  let before: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = before.then(work)
    before = turn.catch(() => undefined)
    return turn
  }
  const recordOf = (id: SetupStepId): StepRecord => records.read()[id] ?? newStepRecord
  /** The table pairs each id with its own room; the types cannot follow that through a variable. */
  const handlerOf = (id: SetupStepId) => handlers[id] as unknown as SetupStepHandler<'check'>

  function settle(id: SetupStepId, state: SetupState, notes: JsonObject): void {
    records.write(id, { state, at: state === 'todo' ? null : clock().toISOString(), notes })
  }

  async function stepOf(operator: OperatorId, id: SetupStepId): Promise<SetupStep> {
    const handler = handlerOf(id)
    const stepView = await handler.look(operator, recordOf(id))
    const now = recordOf(id)
    const isNew = stepView.done === true && now.state !== 'done'
    if (isNew) {
      settle(id, 'done', stepView.notes ?? now.notes)
      await act(operator, entryOf(id, 'done', { kind: 'gateway', id: 'gateway' }))
    }
    const { state, at } = recordOf(id)
    const { title, about, skippable } = handler
    return { id, title, about, state, skippable, at, data: stepView.data } as SetupStep
  }

  async function view(operator: OperatorId): Promise<Onboarding> {
    const steps: SetupStep[] = []
    for (const each of await Promise.all(SetupStepId.options.map((id) => stepOf(operator, id))))
      steps.push(each)
    return { steps, ...countOf(steps) }
  }

  return {
    view,
    summary() {
      const all = records.read()
      const steps = SetupStepId.options.map((id) => ({
        id,
        title: handlers[id].title,
        state: all[id]?.state ?? 'todo',
      }))
      return { steps, ...countOf(steps) }
    },
    answer: (by, id, answer, signal) =>
      inTurn(async () => {
        const was = recordOf(id)
        const given = answer as ReadSetupAnswer<'check'>
        const answered = await handlerOf(id).answer(by, given, was, signal)
        settle(id, answered.done === true ? 'done' : 'todo', answered.notes ?? was.notes)
        if (answered.done === true) await act(by.operator, entryOf(id, 'done', by.actor))
        return view(by.operator)
      }),
    skip: (by, id) =>
      inTurn(async () => {
        const { skippable, title } = handlers[id]
        if (!skippable)
          throw new CountersignError(
            'usage',
            `“${title}” cannot be skipped: what comes after stands on it.`,
            {
              next: 'Answer it, or leave and come back with `countersign onboard --resume`.',
            },
          )
        const was = recordOf(id)
        if (was.state !== 'done') {
          settle(id, 'skipped', was.notes)
          await act(by.operator, entryOf(id, 'skipped', by.actor))
        }
        return view(by.operator)
      }),
  }
}

function countOf(steps: readonly { readonly id: SetupStepId; readonly state: SetupState }[]) {
  const open = steps.filter(({ state }) => state === 'todo')
  return { settled: steps.length - open.length, total: steps.length, next: open[0]?.id ?? null }
}

function entryOf(step: SetupStepId, state: SetupState, actor: EntryDraft['actor']): EntryDraft {
  return { type: 'onboarding.step', actor, data: { step, state } }
}
