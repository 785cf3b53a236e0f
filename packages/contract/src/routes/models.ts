/** Owns the table of the routes of models. */
import { z } from 'zod'
import {
  Capability,
  CatalogueRefreshed,
  CatalogueView,
  ModelChanged,
  ModelEstimate,
  ModelRef,
  ModelTrace,
  ModelView,
  OverrideModel,
  ProviderName,
  Purpose,
  RouteChanged,
  RouteView,
  SetRoute,
} from '../api-models.ts'
import { define } from './define.ts'

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
const byRef = { query: z.object({ ref: ModelRef }) }
const tokenCount = z.coerce.number().int().min(0).max(1_000_000_000)
const EstimateQuery = z.object({
  ref: ModelRef,
  input: tokenCount,
  output: tokenCount,
  /** How many of the input tokens come from the provider's cache. */
  cached: tokenCount.default(0),
})
const TraceFilter = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  run: z.string().max(100).optional(),
})

export const modelRoutes = {
  models: define(
    'get',
    '/v1/models',
    'Models of the configured providers, with prices.',
    z.array(ModelView),
    { query: ModelFilter },
  ),
  model: define('get', '/v1/model', 'One model.', ModelView, byRef),
  estimateModel: define('get', '/v1/model-estimate', 'What so many tokens of a model cost.', ModelEstimate, {
    query: EstimateQuery,
  }),
  overrideModel: define('put', '/v1/model', 'Changes the data of a model, such as its price.', ModelChanged, {
    ...byRef,
    body: OverrideModel,
  }),
  restoreModel: define('delete', '/v1/model', 'Restores the data of a model.', ModelChanged, byRef),
  routes: define(
    'get',
    '/v1/routes',
    'Which model is used for each purpose, and which comes next.',
    z.array(RouteView),
  ),
  setRoute: define('put', '/v1/routes/{purpose}', 'Chooses the models for a purpose.', RouteChanged, {
    params: z.object({ purpose: Purpose }),
    body: SetRoute,
  }),
  catalogue: define('get', '/v1/model-catalogue', 'Where prices and capabilities come from.', CatalogueView),
  refreshCatalogue: define(
    'post',
    '/v1/model-catalogue/refresh',
    'Updates prices and capabilities, and returns what changed.',
    CatalogueRefreshed,
  ),
  modelTraces: define(
    'get',
    '/v1/model-traces',
    'Recent calls, with every secret masked.',
    z.array(ModelTrace),
    { query: TraceFilter },
  ),
}
