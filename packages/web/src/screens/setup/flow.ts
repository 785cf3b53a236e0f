/** Owns how a step is answered from a page: sent, waited for, and gone on from. A refusal stays on the step. */
import {
  type Onboarding,
  type SetupAnswer,
  type SetupStepId,
  type SetupStepOf,
  SetupStepId as Steps,
} from '@countersign/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useChange } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'

export const onboardingKey = ['onboarding'] as const

export interface StepFlow<Id extends SetupStepId> {
  readonly step: SetupStepOf<Id>
  readonly busy: boolean
  readonly problem: Error | null
  /** Goes on when the gateway has taken it, unless something else is to happen then. */
  readonly answer: (answer: SetupAnswer<Id>, then?: () => void) => void
  readonly skip: () => void
  readonly forward: () => void
  /** Something else was chosen: what was said of the last answer says nothing of it. */
  readonly forget: () => void
  /** Null on the first step. */
  readonly back: (() => void) | null
}

export function stepOf<Id extends SetupStepId>(view: Onboarding, id: Id): SetupStepOf<Id> {
  const found = view.steps.find((step) => step.id === id)
  if (found === undefined) throw new Error(`The gateway has no step ${id}.`)
  return found as SetupStepOf<Id>
}

/** The next one that is still to do, else the end. */
export function after(view: Onboarding, id: SetupStepId): string {
  const route = Steps.options.indexOf(id)
  const later = view.steps.slice(route + 1).find(({ state }) => state === 'todo')
  return later?.id ?? view.next ?? 'done'
}

export function useStepFlow<Id extends SetupStepId>(view: Onboarding, id: Id): StepFlow<Id> {
  const route = useRoute()
  const queries = useQueryClient()
  const told = useChange((client, answer: SetupAnswer<Id>) => client.setUp(id, answer))
  const skipped = useChange((client) => client.skipSetup(id))
  const before = Steps.options[Steps.options.indexOf(id) - 1]
  const goAfter = (now: Onboarding) => route.go(route.href([after(now, id)]))
  const keep = (now: Onboarding) => queries.setQueryData(onboardingKey, now)
  return {
    step: stepOf(view, id),
    busy: told.isPending || skipped.isPending,
    problem: told.error ?? skipped.error,
    answer: (answer, then) =>
      told.mutate(answer, {
        onSuccess: (now) => {
          keep(now)
          if (then === undefined) goAfter(now)
          else then()
        },
      }),
    skip: () =>
      skipped.mutate(undefined, {
        onSuccess: (now) => {
          keep(now)
          goAfter(now)
        },
      }),
    forward: () => goAfter(view),
    forget: () => {
      told.reset()
      skipped.reset()
    },
    back: before === undefined ? null : () => route.go(route.href([before])),
  }
}
