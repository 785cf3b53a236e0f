/** Owns the routes of web push. A device speaks for itself only. */
import { pushRoutes } from '@countersign/contract/routes'
import type { Push } from '../push/push.ts'
import { type App, receipt, route } from './route.ts'

export function addPushRoutes(app: App, push: Push): void {
  app.openapi(route(pushRoutes.pushKey), async (context) =>
    context.json(
      { publicKey: await push.publicKey(), ...(await push.told(context.get('speaker').device)) },
      200,
    ),
  )
  app.openapi(route(pushRoutes.setPushPreferences), async (context) => {
    const { device, actor } = context.get('speaker')
    return context.json(receipt(await push.prefer(device, context.req.valid('json'), actor)), 200)
  })
  app.openapi(route(pushRoutes.subscribePush), async (context) => {
    const { device, actor } = context.get('speaker')
    return context.json(receipt(await push.subscribe(device, context.req.valid('json'), actor)), 200)
  })
  app.openapi(route(pushRoutes.unsubscribePush), async (context) => {
    const { device, actor } = context.get('speaker')
    return context.json(receipt(await push.forget(device, actor)), 200)
  })
  app.openapi(route(pushRoutes.testPush), async (context) => {
    const { device, reach } = context.get('speaker')
    return context.json(await push.test(device, reach), 200)
  })
}
