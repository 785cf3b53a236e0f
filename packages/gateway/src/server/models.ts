/** Owns the routes of models: what there is to choose from, what was chosen for what, and the last calls as they were. */
import {
  Capability,
  CatalogueRefreshed,
  CatalogueView,
  ModelChanged,
  ModelRef,
  ModelTrace,
  ModelView,
  OverrideModel,
  ProviderName,
  Purpose,
  RouteChanged,
  RouteView,
  SetRoute,
} from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import type { ModelAdmin } from '../model-settings/model-admin.ts'
import { type App, route } from './route.ts'

const byRef = { query: z.object({ ref: ModelRef }) }

const ModelFilter = z.object({
  provider: ProviderName.optional(),
  /** Words that must all occur in the reference or the title. */
  words: z.string().max(200).optional(),
  /** What it must be able to do, separated by commas. */
  needs: z
    .string()
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(Capability))
    .optional(),
  /** Also models of providers that are not configured. */
  all: z.enum(['true', 'false']).optional(),
})

const TraceFilter = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  run: z.string().max(100).optional(),
})

export function addModelRoutes(app: App, admin: ModelAdmin): void {
  app.openapi(
    route('get', '/v1/models', 'Models of the configured providers, with prices.', z.array(ModelView), {
      query: ModelFilter,
    }),
    async (context) => {
      const { all, ...filter } = context.req.valid('query')
      return context.json(await admin.models({ ...filter, all: all === 'true' }), 200)
    },
  )
  app.openapi(route('get', '/v1/model', 'One model.', ModelView, byRef), async (context) =>
    context.json(await admin.model(context.req.valid('query').ref), 200),
  )
  app.openapi(
    route('put', '/v1/model', 'Changes the data of a model, such as its price.', ModelChanged, {
      ...byRef,
      body: OverrideModel,
    }),
    async (context) => {
      const { ref } = context.req.valid('query')
      return context.json(await admin.override(context.get('speaker'), ref, context.req.valid('json')), 200)
    },
  )
  app.openapi(
    route('delete', '/v1/model', 'Restores the data of a model.', ModelChanged, byRef),
    async (context) =>
      context.json(await admin.restore(context.get('speaker'), context.req.valid('query').ref), 200),
  )
  app.openapi(
    route(
      'get',
      '/v1/routes',
      'Which model is used for each purpose, and which comes next.',
      z.array(RouteView),
    ),
    async (context) => context.json(await admin.routes(), 200),
  )
  app.openapi(
    route('put', '/v1/routes/{purpose}', 'Chooses the models for a purpose.', RouteChanged, {
      params: z.object({ purpose: Purpose }),
      body: SetRoute,
    }),
    async (context) => {
      const { purpose } = context.req.valid('param')
      return context.json(
        await admin.setRoute(context.get('speaker'), purpose, context.req.valid('json')),
        200,
      )
    },
  )
  app.openapi(
    route('get', '/v1/model-catalogue', 'Where prices and capabilities come from.', CatalogueView),
    async (context) => context.json(await admin.catalogue(), 200),
  )
  app.openapi(
    route(
      'post',
      '/v1/model-catalogue/refresh',
      'Updates prices and capabilities, and returns what changed.',
      CatalogueRefreshed,
    ),
    async (context) => context.json(await admin.refresh(context.get('speaker')), 200),
  )
  app.openapi(
    route('get', '/v1/model-traces', 'Recent calls, with every secret masked.', z.array(ModelTrace), {
      query: TraceFilter,
    }),
    async (context) => context.json(admin.traces(context.req.valid('query')), 200),
  )
}
