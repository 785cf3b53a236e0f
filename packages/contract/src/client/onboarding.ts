/** The part of the typed client that speaks of the first run. */
import type { SetupAnswer, SetupStepId } from '../api-onboarding.ts'
import { onboardingRoutes, setUpRoute } from '../routes/onboarding.ts'
import type { Call } from './call.ts'

/** A step may wait for a model that is slow to begin. */
const longestStepMs = 180_000

export function onboardingCalls(call: Call) {
  return {
    onboarding: () => call(onboardingRoutes.onboarding),
    onboardingSummary: () => call(onboardingRoutes.onboardingSummary),
    setUp: <Id extends SetupStepId>(step: Id, answer: SetupAnswer<Id>) =>
      call(setUpRoute(step), { body: answer as SetupAnswer<SetupStepId> }, longestStepMs),
    skipSetup: (step: SetupStepId) => call(onboardingRoutes.skipSetup, { params: { step } }),
  }
}
