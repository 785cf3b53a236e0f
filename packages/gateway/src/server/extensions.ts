/**
 * Owns the routes of what was let in from outside: what the executor last said of it, what it was used for, signing in to a
 * server, and trying tiers.
 */
import { extensionRoutes } from '@countersign/contract/routes'
import type { Views } from '@countersign/views'
import type { ServerSignIns } from '../extensions/server-sign-in.ts'
import { type TryTiersParts, tryTiers } from '../extensions/try-tiers.ts'
import { type App, route } from './route.ts'

export interface ExtensionRoutes extends TryTiersParts {
  readonly views: Pick<Views, 'extensionUse' | 'extensionCalls'>
  readonly signIns: ServerSignIns
}

export function addExtensionRoutes(app: App, { views, signIns, ...trying }: ExtensionRoutes): void {
  const { installed } = trying
  app.openapi(route(extensionRoutes.extensions), (context) => context.json(installed(), 200))
  app.openapi(route(extensionRoutes.extensionUse), async (context) =>
    context.json(await views.extensionUse(context.get('speaker').operator, installed()), 200),
  )
  app.openapi(route(extensionRoutes.extensionCalls), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await views.extensionCalls(context.get('speaker').operator, name, installed()), 200)
  })
  app.openapi(route(extensionRoutes.tryServerTiers), async (context) => {
    const { operator } = context.get('speaker')
    const { name } = context.req.valid('param')
    return context.json(await tryTiers(operator, name, context.req.valid('json'), trying), 200)
  })
  app.openapi(route(extensionRoutes.findServerSignIn), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await signIns.find(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(extensionRoutes.beginServerSignIn), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await signIns.begin(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(extensionRoutes.endServerSignIn), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await signIns.end(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(extensionRoutes.signOutOfServer), async (context) =>
    context.json(await signIns.out(context.get('speaker'), context.req.valid('param').name), 200),
  )
}
