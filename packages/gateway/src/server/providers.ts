/** Owns the routes of model providers. A key goes in with a provider; no route gives one out. */
import {
  AddProvider,
  DetectedProvider,
  ProviderChanged,
  ProviderName,
  ProviderRemoved,
  ProviderTested,
  ProviderView,
  SetProvider,
} from '@countersign/contract'
import { z } from '@hono/zod-openapi'
import type { ProviderAdmin } from '../model-settings/provider-admin.ts'
import { type App, route } from './route.ts'

const named = { params: z.object({ name: ProviderName }) }

/** The name that the provider gives the model, without the provider before it. */
const TestProvider = z.strictObject({ model: z.string().min(1).max(200).optional() })

export function addProviderRoutes(app: App, admin: ProviderAdmin): void {
  app.openapi(
    route('get', '/v1/providers', 'Providers with their health. Never a key.', z.array(ProviderView)),
    async (context) => context.json(await admin.list(), 200),
  )
  app.openapi(
    route(
      'get',
      '/v1/detected-providers',
      'Local servers and keys in the environment that are not set up yet.',
      z.array(DetectedProvider),
    ),
    async (context) => context.json(await admin.detect(), 200),
  )
  app.openapi(
    route('post', '/v1/providers', 'Adds a provider; its key goes into the vault.', ProviderChanged, {
      body: AddProvider,
    }),
    async (context) => context.json(await admin.add(context.get('speaker'), context.req.valid('json')), 200),
  )
  app.openapi(
    route('put', '/v1/providers/{name}', 'Changes the given fields of a provider.', ProviderChanged, {
      ...named,
      body: SetProvider,
    }),
    async (context) => {
      const { name } = context.req.valid('param')
      return context.json(await admin.set(context.get('speaker'), name, context.req.valid('json')), 200)
    },
  )
  app.openapi(
    route('delete', '/v1/providers/{name}', 'Removes a provider and its key.', ProviderRemoved, named),
    async (context) =>
      context.json(await admin.remove(context.get('speaker'), context.req.valid('param').name), 200),
  )
  app.openapi(
    route(
      'post',
      '/v1/providers/{name}/test',
      'Makes one small paid call, and returns the result.',
      ProviderTested,
      { ...named, body: TestProvider },
    ),
    async (context) => {
      const { name } = context.req.valid('param')
      const { model } = context.req.valid('json')
      const { signal } = context.req.raw
      return context.json(await admin.test(context.get('speaker'), name, model, signal), 200)
    },
  )
}
