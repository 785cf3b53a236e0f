/** Owns sending one notification to one browser: signed by the gateway, encrypted for that browser. */
import type { Agent } from 'node:https'
import {
  notificationText,
  type PushMessage,
  type PushSubscriptionBody,
  type SignedNotification,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import { readOrCreatePushKeys } from './push-keys.ts'

export interface DeliveryOptions {
  readonly kernel: Pick<Kernel, 'gateway'>
  readonly keyFile: string
  /** Signs with the gateway's key, by which a browser knows what was sent by it. */
  readonly sign: (text: string) => string
  readonly agent?: Agent
}

/** Push services want somebody to write to; this gateway has no address of its own. */
const contact = 'mailto:push@countersign.invalid'
const lifetimeSeconds = 24 * 60 * 60

/** Null when the push service accepted it, `gone` where it no longer knows the browser, else what it said. */
export async function deliver(
  { kernel, keyFile, sign, agent }: DeliveryOptions,
  { device, endpoint, keys }: Pick<PushSubscriptionBody, 'endpoint' | 'keys'> & { readonly device: string },
  message: PushMessage,
): Promise<string | null> {
  const { default: webPush } = await import('web-push')
  const text = JSON.stringify(message)
  const signature = sign(notificationText(kernel.gateway, device, text))
  const signed: SignedNotification = { message: text, signature }
  try {
    await webPush.sendNotification({ endpoint, keys }, JSON.stringify(signed), {
      vapidDetails: { subject: contact, ...(await readOrCreatePushKeys(keyFile)) },
      TTL: lifetimeSeconds,
      urgency: 'high',
      timeout: 10_000,
      ...(agent ? { agent } : {}),
    })
    return null
  } catch (error) {
    if (error instanceof webPush.WebPushError && (error.statusCode === 404 || error.statusCode === 410))
      return 'gone'
    return error instanceof Error ? error.message : String(error)
  }
}
