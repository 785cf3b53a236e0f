/** The calls of web push. */
import { Receipt } from '../api.ts'
import { PushKey, type PushSubscriptionBody, PushTest } from '../api-push.ts'
import type { Call } from './call.ts'

export function pushCalls(call: Call) {
  return {
    pushKey: () => call(PushKey, 'GET', '/v1/push'),
    subscribePush: (subscription: PushSubscriptionBody) => call(Receipt, 'POST', '/v1/push', subscription),
    unsubscribePush: () => call(Receipt, 'DELETE', '/v1/push'),
    testPush: () => call(PushTest, 'POST', '/v1/push/test', {}),
  }
}
