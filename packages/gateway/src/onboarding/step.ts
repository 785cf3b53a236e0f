/** Owns what a step of the first run is: something to look at, and something that it can be told. */
import type { JsonObject, OperatorId, ReadSetupAnswer, SetupStepId, SetupStepOf } from '@countersign/contract'
import type { By } from '../server/secrets.ts'
import type { KeptStep } from './kept.ts'

export interface Looked<Id extends SetupStepId> {
  readonly data: SetupStepOf<Id>['data']
  /** It has come to its end since the last look. */
  readonly done?: boolean
  /** What to find again, where the look learned something. */
  readonly notes?: JsonObject
}

export interface Answered {
  /** Left out: the answer began something, and the step is done when that is. */
  readonly done?: boolean
  readonly notes?: JsonObject
}

export interface StepRoom<Id extends SetupStepId> {
  readonly title: string
  readonly about: string
  readonly skippable: boolean
  look(operator: OperatorId, kept: KeptStep): Promise<Looked<Id>>
  /** Throws with what is wrong and what to do next, and then nothing is changed. */
  answer(by: By, answer: ReadSetupAnswer<Id>, kept: KeptStep, signal: AbortSignal): Promise<Answered>
}

export type StepRooms = { readonly [Id in SetupStepId]: StepRoom<Id> }
