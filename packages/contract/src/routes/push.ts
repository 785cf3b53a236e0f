/** Owns the table of the routes of web push. */
import { Receipt } from '../api.ts'
import { PushKey, PushSubscriptionBody, PushTest } from '../api-push.ts'
import { define } from './define.ts'

export const pushRoutes = {
  pushKey: define(
    'get',
    '/v1/push',
    'The key that browsers subscribe with, and the number of subscriptions.',
    PushKey,
  ),
  subscribePush: define('post', '/v1/push', 'Subscribes this device to notifications.', Receipt, {
    body: PushSubscriptionBody,
  }),
  unsubscribePush: define('delete', '/v1/push', 'Unsubscribes this device.', Receipt),
  testPush: define('post', '/v1/push/test', 'Sends a test notification to this device.', PushTest),
}
