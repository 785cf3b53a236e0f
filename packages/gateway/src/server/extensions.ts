/** Owns the routes of what was let in from outside: what the executor last said of it, signing in to a server, and trying tiers. */
import type { InstalledExtensions } from '@countersign/contract'
import { extensionRoutes } from '@countersign/contract/routes'
import type { ServerSignIns } from '../extensions/server-sign-in.ts'
import { type TryTiersParts, tryTiers } from '../extensions/try-tiers.ts'
import { type App, route } from './route.ts'

export function addExtensionRoutes(
  app: App,
  extensions: () => InstalledExtensions,
  parts: TryTiersParts & { readonly signIns: ServerSignIns },
): void {
  app.openapi(route(extensionRoutes.extensions), (context) => context.json(extensions(), 200))
  app.openapi(route(extensionRoutes.tryServerTiers), async (context) => {
    const { operator } = context.get('speaker')
    const { name } = context.req.valid('param')
    return context.json(await tryTiers(operator, name, context.req.valid('json'), parts), 200)
  })
  app.openapi(route(extensionRoutes.findServerSignIn), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(
      await parts.signIns.find(context.get('speaker'), name, context.req.valid('json')),
      200,
    )
  })
  app.openapi(route(extensionRoutes.beginServerSignIn), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(
      await parts.signIns.begin(context.get('speaker'), name, context.req.valid('json')),
      200,
    )
  })
  app.openapi(route(extensionRoutes.endServerSignIn), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await parts.signIns.end(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(extensionRoutes.signOutOfServer), async (context) =>
    context.json(await parts.signIns.out(context.get('speaker'), context.req.valid('param').name), 200),
  )
}
