/**
 * Owns the setup flow: which steps there are, the state of each, and their answers, one at a time. The terminal and the
 * browser share one flow. Refuses to skip a step that later ones need.
 */
import {
  CountersignError,
  type JsonObject,
  type Language,
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
import { setupWords } from './words/index.ts'

export interface FlowParts {
  readonly handlers: SetupStepHandlers
  readonly records: StepRecords
  readonly act: (operator: OperatorId, entry: EntryDraft) => Promise<number>
  readonly clock: () => Date
}

export interface OnboardingFlow {
  view(operator: OperatorId, language: Language): Promise<Onboarding>
  summary(language: Language): OnboardingSummary
  answer<Id extends SetupStepId>(
    by: ActingOperator,
    id: Id,
    answer: ReadSetupAnswer<Id>,
    signal: AbortSignal,
    language: Language,
  ): Promise<Onboarding>
  skip(by: ActingOperator, id: SetupStepId, language: Language): Promise<Onboarding>
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

  async function stepOf(operator: OperatorId, id: SetupStepId, language: Language): Promise<SetupStep> {
    const words = setupWords[language]
    const handler = handlerOf(id)
    const stepView = await handler.look(operator, recordOf(id), words)
    const now = recordOf(id)
    const isNew = stepView.done === true && now.state !== 'done'
    if (isNew) {
      settle(id, 'done', stepView.notes ?? now.notes)
      await act(operator, entryOf(id, 'done', { kind: 'gateway', id: 'gateway' }))
    }
    const { state, at } = recordOf(id)
    const { title, about } = words.steps[id]
    return { id, title, about, state, skippable: handler.skippable, at, data: stepView.data } as SetupStep
  }

  async function view(operator: OperatorId, language: Language): Promise<Onboarding> {
    const steps: SetupStep[] = []
    for (const each of await Promise.all(SetupStepId.options.map((id) => stepOf(operator, id, language))))
      steps.push(each)
    return { steps, ...countOf(steps) }
  }

  return {
    view,
    summary(language) {
      const all = records.read()
      const steps = SetupStepId.options.map((id) => ({
        id,
        title: setupWords[language].steps[id].title,
        state: all[id]?.state ?? 'todo',
      }))
      return { steps, ...countOf(steps) }
    },
    answer: (by, id, answer, signal, language) =>
      inTurn(async () => {
        const was = recordOf(id)
        const given = answer as ReadSetupAnswer<'check'>
        const answered = await handlerOf(id).answer(by, given, was, signal)
        settle(id, answered.done === true ? 'done' : 'todo', answered.notes ?? was.notes)
        if (answered.done === true) await act(by.operator, entryOf(id, 'done', by.actor))
        return view(by.operator, language)
      }),
    skip: (by, id, language) =>
      inTurn(async () => {
        if (!handlers[id].skippable)
          throw new CountersignError(
            'usage',
            `The step “${setupWords.en.steps[id].title}” cannot be skipped: later steps need it.`,
            { next: 'Answer it, or continue later with `countersign onboard --resume`.' },
          )
        const was = recordOf(id)
        if (was.state !== 'done') {
          settle(id, 'skipped', was.notes)
          await act(by.operator, entryOf(id, 'skipped', by.actor))
        }
        return view(by.operator, language)
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
