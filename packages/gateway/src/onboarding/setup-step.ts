/** A setup step: what it shows, and which answer it takes. Its words come in the language of the reader. */
import type { JsonObject, OperatorId, ReadSetupAnswer, SetupStepId, SetupStepOf } from '@countersign/contract'
import type { ActingOperator } from '../server/secrets.ts'
import type { StepRecord } from './step-records.ts'
import type { SetupWords } from './words/index.ts'

export interface StepView<Id extends SetupStepId> {
  readonly data: SetupStepOf<Id>['data']
  /** It has come to its end since the last look. */
  readonly done?: boolean
  /** What to find again, where the look learned something. */
  readonly notes?: JsonObject
}

export interface StepAnswer {
  /** Left out: the answer began something, and the step is done when that is. */
  readonly done?: boolean
  readonly notes?: JsonObject
}

export interface SetupStepHandler<Id extends SetupStepId> {
  readonly skippable: boolean
  look(operator: OperatorId, record: StepRecord, words: SetupWords): Promise<StepView<Id>>
  /** Throws with what is wrong and what to do next, and then nothing is changed. */
  answer(
    by: ActingOperator,
    answer: ReadSetupAnswer<Id>,
    record: StepRecord,
    signal: AbortSignal,
  ): Promise<StepAnswer>
}

export type SetupStepHandlers = { readonly [Id in SetupStepId]: SetupStepHandler<Id> }
