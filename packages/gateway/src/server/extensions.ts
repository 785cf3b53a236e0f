/** Owns the routes of what was let in from outside: what the executor last said of it, and signing in to a server. */
import type { InstalledExtensions } from '@countersign/contract'
import { extensionRoutes } from '@countersign/contract/routes'
import type { ServerSignIns } from '../extensions/server-sign-in.ts'
import { type App, route } from './route.ts'

export function addExtensionRoutes(
  app: App,
  extensions: () => InstalledExtensions,
  signIns: ServerSignIns,
): void {
  app.openapi(route(extensionRoutes.extensions), (context) => context.json(extensions(), 200))
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
