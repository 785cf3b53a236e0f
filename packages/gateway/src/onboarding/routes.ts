/** Owns the routes of the first run. Every answer is checked at once; one that is refused leaves the step as it was. */
import {
  Onboarding,
  OnboardingSummary,
  type ReadSetupAnswer,
  SetupStepId,
  setupAnswers,
} from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import { type App, route } from '../server/route.ts'
import type { OnboardingFlow } from './flow.ts'

export function addOnboardingRoutes(app: App, flow: OnboardingFlow): void {
  app.openapi(
    route('get', '/v1/onboarding', 'The steps of the first run, with what each shows.', Onboarding),
    async (context) => context.json(await flow.view(context.get('speaker').operator), 200),
  )
  app.openapi(
    route('get', '/v1/onboarding/summary', 'How far the first run is, and nothing else.', OnboardingSummary),
    (context) => context.json(flow.summary(), 200),
  )
  for (const id of SetupStepId.options)
    app.openapi(
      route('post', `/v1/onboarding/${id}`, `Answers the step “${id}”.`, Onboarding, {
        body: setupAnswers[id] as z.ZodType<ReadSetupAnswer<typeof id>>,
      }),
      async (context) => {
        const answer = context.req.valid('json') as ReadSetupAnswer<typeof id>
        const { signal } = context.req.raw
        return context.json(await flow.answer(context.get('speaker'), id, answer, signal), 200)
      },
    )
  app.openapi(
    route('post', '/v1/onboarding/{step}/skip', 'Leaves a step out; it can be answered later.', Onboarding, {
      params: z.object({ step: SetupStepId }),
    }),
    async (context) =>
      context.json(await flow.skip(context.get('speaker'), context.req.valid('param').step), 200),
  )
}
