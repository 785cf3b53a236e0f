/** The calls of web push. */
import type { PushPreferences, PushSubscriptionBody } from '../api-push.ts'
import { pushRoutes } from '../routes/push.ts'
import type { Call } from './call.ts'

export function pushCalls(call: Call) {
  return {
    pushKey: () => call(pushRoutes.pushKey),
    subscribePush: (subscription: PushSubscriptionBody) =>
      call(pushRoutes.subscribePush, { body: subscription }),
    unsubscribePush: () => call(pushRoutes.unsubscribePush),
    setPushPreferences: (preferences: PushPreferences) =>
      call(pushRoutes.setPushPreferences, { body: preferences }),
    testPush: () => call(pushRoutes.testPush),
  }
}
