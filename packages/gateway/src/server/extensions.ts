/** Owns the routes of what was let in from outside: what the executor last said of it, and what it was used for. */
import type { InstalledExtensions } from '@countersign/contract'
import { extensionRoutes } from '@countersign/contract/routes'
import type { Views } from '@countersign/views'
import { type App, route } from './route.ts'

export interface ExtensionRoutes {
  readonly installed: () => InstalledExtensions
  readonly views: Pick<Views, 'extensionUse' | 'extensionCalls'>
}

export function addExtensionRoutes(app: App, { installed, views }: ExtensionRoutes): void {
  app.openapi(route(extensionRoutes.extensions), (context) => context.json(installed(), 200))
  app.openapi(route(extensionRoutes.extensionUse), async (context) =>
    context.json(await views.extensionUse(context.get('speaker').operator), 200),
  )
  app.openapi(route(extensionRoutes.extensionCalls), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await views.extensionCalls(context.get('speaker').operator, name), 200)
  })
}
