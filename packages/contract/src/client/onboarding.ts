/** The part of the typed client that speaks of the first run. */
import { Onboarding, OnboardingSummary, type SetupAnswer, type SetupStepId } from '../api-onboarding.ts'
import { type Call, part } from './call.ts'

/** A step may wait for a model that is slow to begin. */
const longestStepMs = 180_000

export function onboardingCalls(call: Call) {
  return {
    onboarding: () => call(Onboarding, 'GET', '/v1/onboarding'),
    onboardingSummary: () => call(OnboardingSummary, 'GET', '/v1/onboarding/summary'),
    setUp: <Id extends SetupStepId>(step: Id, answer: SetupAnswer<Id>) =>
      call(Onboarding, 'POST', `/v1/onboarding/${part(step)}`, answer, longestStepMs),
    skipSetup: (step: SetupStepId) => call(Onboarding, 'POST', `/v1/onboarding/${part(step)}/skip`, {}),
  }
}
