/** Owns the routes of models: what there is to choose from, what was chosen for what, and the last calls as they were. */
import { modelRoutes } from '@countersign/contract/routes'
import type { ModelAdmin } from '../model-settings/model-admin.ts'
import { type App, route } from './route.ts'

export function addModelRoutes(app: App, admin: ModelAdmin): void {
  app.openapi(route(modelRoutes.models), async (context) => {
    const { all, ...filter } = context.req.valid('query')
    return context.json(await admin.models({ ...filter, all: all === 'true' }), 200)
  })
  app.openapi(route(modelRoutes.model), async (context) =>
    context.json(await admin.model(context.req.valid('query').ref), 200),
  )
  app.openapi(route(modelRoutes.estimateModel), async (context) => {
    const { ref, ...tokens } = context.req.valid('query')
    return context.json(await admin.estimate(ref, tokens), 200)
  })
  app.openapi(route(modelRoutes.overrideModel), async (context) => {
    const { ref } = context.req.valid('query')
    return context.json(await admin.override(context.get('speaker'), ref, context.req.valid('json')), 200)
  })
  app.openapi(route(modelRoutes.restoreModel), async (context) =>
    context.json(await admin.restore(context.get('speaker'), context.req.valid('query').ref), 200),
  )
  app.openapi(route(modelRoutes.routes), async (context) => context.json(await admin.routes(), 200))
  app.openapi(route(modelRoutes.setRoute), async (context) => {
    const { purpose } = context.req.valid('param')
    return context.json(await admin.setRoute(context.get('speaker'), purpose, context.req.valid('json')), 200)
  })
  app.openapi(route(modelRoutes.catalogue), async (context) => context.json(await admin.catalogue(), 200))
  app.openapi(route(modelRoutes.refreshCatalogue), async (context) =>
    context.json(await admin.refresh(context.get('speaker')), 200),
  )
  app.openapi(route(modelRoutes.modelTraces), async (context) =>
    context.json(admin.traces(context.req.valid('query')), 200),
  )
}
