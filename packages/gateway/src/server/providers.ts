/** Owns the routes of model providers. A key goes in with a provider; no route gives one out. */
import { providerRoutes } from '@countersign/contract/routes'
import type { ProviderAdmin } from '../model-settings/provider-admin.ts'
import { type App, route } from './route.ts'

export function addProviderRoutes(app: App, admin: ProviderAdmin): void {
  app.openapi(route(providerRoutes.providers), async (context) => context.json(await admin.list(), 200))
  app.openapi(route(providerRoutes.detectProviders), async (context) =>
    context.json(await admin.detect(), 200),
  )
  app.openapi(route(providerRoutes.addProvider), async (context) =>
    context.json(await admin.add(context.get('speaker'), context.req.valid('json')), 200),
  )
  app.openapi(route(providerRoutes.setProvider), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await admin.set(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(providerRoutes.removeProvider), async (context) =>
    context.json(await admin.remove(context.get('speaker'), context.req.valid('param').name), 200),
  )
  app.openapi(route(providerRoutes.testProvider), async (context) => {
    const { name } = context.req.valid('param')
    const asked = context.req.valid('json')
    const { signal } = context.req.raw
    return context.json(await admin.test(context.get('speaker'), name, asked, signal), 200)
  })
}
