/** Owns the table of the routes of the first run. */
import { z } from 'zod'
import {
  Onboarding,
  OnboardingSummary,
  type ReadSetupAnswer,
  type SetupAnswer,
  SetupStepId,
  setupAnswers,
} from '../api-onboarding.ts'
import { define } from './define.ts'

export const onboardingRoutes = {
  onboarding: define('get', '/v1/onboarding', 'The setup steps with their data.', Onboarding),
  onboardingSummary: define(
    'get',
    '/v1/onboarding/summary',
    'The progress of setup only.',
    OnboardingSummary,
  ),
  skipSetup: define(
    'post',
    '/v1/onboarding/{step}/skip',
    'Skips a step; it can be answered later.',
    Onboarding,
    {
      params: z.object({ step: SetupStepId }),
    },
  ),
}

/** Every step takes an answer of its own. */
export function setUpRoute(step: SetupStepId) {
  return define('post', `/v1/onboarding/${step}`, `Answers the step “${step}”.`, Onboarding, {
    body: setupAnswers[step] as z.ZodType<ReadSetupAnswer<SetupStepId>, SetupAnswer<SetupStepId>>,
  })
}
