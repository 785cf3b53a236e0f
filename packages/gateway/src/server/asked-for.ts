/** Owns the routes of what the operator's words ask for, of taking it back, and of what nobody asked for. */
import { grantRoutes } from '@countersign/contract/routes'
import type { Kernel } from '@countersign/kernel'
import { type App, receipt, route } from './route.ts'

export function addAskedForRoutes(app: App, kernel: Kernel): void {
  app.openapi(route(grantRoutes.askedFor), async (context) => {
    const { id } = context.req.valid('param')
    return context.json(await kernel.askedFor(context.get('speaker').operator, id), 200)
  })
  app.openapi(route(grantRoutes.takeBack), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(receipt(await kernel.takeBack(operator, id, actor)), 200)
  })
  app.openapi(route(grantRoutes.unasked), async (context) =>
    context.json(await kernel.unasked(context.get('speaker').operator), 200),
  )
  app.openapi(route(grantRoutes.dismissUnasked), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(receipt(await kernel.dismissUnasked(operator, id, actor)), 200)
  })
  app.openapi(route(grantRoutes.letAsk), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    const { call } = context.req.valid('json')
    return context.json(await kernel.letAsk(operator, { id, call }, actor), 200)
  })
}
