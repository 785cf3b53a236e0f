/** Owns the routes of web push. A device speaks for itself only. */
import { PushKey, PushSubscriptionBody, PushTest, Receipt } from '@countersign/contract'
import type { Push } from '../push/push.ts'
import { type App, receipt, route } from './route.ts'

export function addPushRoutes(app: App, push: Push): void {
  app.openapi(
    route(
      'get',
      '/v1/push',
      'The key that browsers subscribe with, and the number of subscriptions.',
      PushKey,
    ),
    async (context) =>
      context.json({ publicKey: await push.publicKey(), subscriptions: await push.count() }, 200),
  )
  app.openapi(
    route('post', '/v1/push', 'Subscribes this device to notifications.', Receipt, {
      body: PushSubscriptionBody,
    }),
    async (context) => {
      const { device, actor } = context.get('speaker')
      return context.json(receipt(await push.subscribe(device, context.req.valid('json'), actor)), 200)
    },
  )
  app.openapi(route('delete', '/v1/push', 'Unsubscribes this device.', Receipt), async (context) => {
    const { device, actor } = context.get('speaker')
    return context.json(receipt(await push.forget(device, actor)), 200)
  })
  app.openapi(
    route('post', '/v1/push/test', 'Sends a test notification to this device.', PushTest),
    async (context) => {
      const { device, reach } = context.get('speaker')
      return context.json(await push.test(device, reach), 200)
    },
  )
}
