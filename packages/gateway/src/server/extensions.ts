/** Owns the route of what was let in from outside: it tells what the executor last said of it. */
import type { InstalledExtensions } from '@countersign/contract'
import { extensionRoutes } from '@countersign/contract/routes'
import { type App, route } from './route.ts'

export function addExtensionRoutes(app: App, extensions: () => InstalledExtensions): void {
  app.openapi(route(extensionRoutes.extensions), (context) => context.json(extensions(), 200))
}
