/** Owns the routes of the first run. Every answer is checked at once; one that is refused leaves the step as it was. */
import { SetupStepId } from '@countersign/contract'
import { onboardingRoutes, setUpRoute } from '@countersign/contract/routes'
import { type App, languageFor, route } from '../server/route.ts'
import type { OnboardingFlow } from './flow.ts'

export function addOnboardingRoutes(app: App, flow: OnboardingFlow): void {
  app.openapi(route(onboardingRoutes.onboarding), async (context) =>
    context.json(await flow.view(context.get('speaker').operator, languageFor(context)), 200),
  )
  app.openapi(route(onboardingRoutes.onboardingSummary), (context) =>
    context.json(flow.summary(languageFor(context)), 200),
  )
  for (const id of SetupStepId.options)
    app.openapi(route(setUpRoute(id)), async (context) => {
      const answer = context.req.valid('json')
      const { signal } = context.req.raw
      const view = await flow.answer(context.get('speaker'), id, answer, signal, languageFor(context))
      return context.json(view, 200)
    })
  app.openapi(route(onboardingRoutes.skipSetup), async (context) =>
    context.json(
      await flow.skip(context.get('speaker'), context.req.valid('param').step, languageFor(context)),
      200,
    ),
  )
}
