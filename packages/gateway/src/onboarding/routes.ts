/** Owns the routes of the first run. Every answer is checked at once; one that is refused leaves the step as it was. */
import {
  Onboarding,
  OnboardingSummary,
  type ReadSetupAnswer,
  SetupStepId,
  setupAnswers,
} from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import { type App, languageFor, route } from '../server/route.ts'
import type { OnboardingFlow } from './flow.ts'

export function addOnboardingRoutes(app: App, flow: OnboardingFlow): void {
  app.openapi(
    route('get', '/v1/onboarding', 'The setup steps with their data.', Onboarding),
    async (context) =>
      context.json(await flow.view(context.get('speaker').operator, languageFor(context)), 200),
  )
  app.openapi(
    route('get', '/v1/onboarding/summary', 'The progress of setup only.', OnboardingSummary),
    (context) => context.json(flow.summary(languageFor(context)), 200),
  )
  for (const id of SetupStepId.options)
    app.openapi(
      route('post', `/v1/onboarding/${id}`, `Answers the step “${id}”.`, Onboarding, {
        body: setupAnswers[id] as z.ZodType<ReadSetupAnswer<typeof id>>,
      }),
      async (context) => {
        const answer = context.req.valid('json') as ReadSetupAnswer<typeof id>
        const { signal } = context.req.raw
        const view = await flow.answer(context.get('speaker'), id, answer, signal, languageFor(context))
        return context.json(view, 200)
      },
    )
  app.openapi(
    route('post', '/v1/onboarding/{step}/skip', 'Skips a step; it can be answered later.', Onboarding, {
      params: z.object({ step: SetupStepId }),
    }),
    async (context) => {
      const { step } = context.req.valid('param')
      return context.json(await flow.skip(context.get('speaker'), step, languageFor(context)), 200)
    },
  )
}
