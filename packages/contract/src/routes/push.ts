/** Owns the table of the routes of web push. */
import { Receipt } from '../api.ts'
import { PushKey, PushPreferences, PushSubscriptionBody, PushTest } from '../api-push.ts'
import { define } from './define.ts'

export const pushRoutes = {
  pushKey: define(
    'get',
    '/v1/push',
    'The key that browsers subscribe with, the number of subscriptions, and what this device is told.',
    PushKey,
  ),
  subscribePush: define('post', '/v1/push', 'Subscribes this device to notifications.', Receipt, {
    body: PushSubscriptionBody,
  }),
  unsubscribePush: define('delete', '/v1/push', 'Unsubscribes this device.', Receipt),
  setPushPreferences: define(
    'put',
    '/v1/push/preferences',
    'Chooses what this device is told, and when it is left alone.',
    Receipt,
    { body: PushPreferences },
  ),
  testPush: define('post', '/v1/push/test', 'Sends a test notification to this device.', PushTest),
}
