/** Owns whether this browser is told when something needs its person. Refuses quietly nothing: every way to fail has words. */

import { languageOf, type PushSubscriptionBody } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { locale } from '../language/current.ts'
import { words } from '../words/frame.tsx'
import { bytesOfBase64Url } from './digest.ts'

export type PushOutcome = { readonly kind: 'done' } | { readonly kind: 'impossible'; readonly reason: string }

/** Why there can be no notifications here, or null. */
export function pushProblem(window: Window & typeof globalThis): string | null {
  if (!('serviceWorker' in window.navigator) || !('PushManager' in window)) return words.push.unsupported
  if (window.Notification.permission === 'denied') return words.push.denied
  return null
}

export async function isSubscribed(window: Window): Promise<boolean> {
  const worker = await window.navigator.serviceWorker?.getRegistration()
  return (await worker?.pushManager?.getSubscription()) != null
}

export async function subscribe(
  window: Window & typeof globalThis,
  client: Pick<Client, 'pushKey' | 'subscribePush'>,
): Promise<PushOutcome> {
  const problem = pushProblem(window)
  if (problem !== null) return { kind: 'impossible', reason: problem }
  if ((await window.Notification.requestPermission()) !== 'granted')
    return { kind: 'impossible', reason: words.push.notAllowed }
  const worker = await window.navigator.serviceWorker.getRegistration()
  if (worker === undefined) return { kind: 'impossible', reason: words.push.noWorker }
  const { publicKey } = await client.pushKey()
  try {
    const subscription = await worker.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytesOfBase64Url(publicKey),
    })
    await client.subscribePush(bodyOf(subscription.toJSON()))
    return { kind: 'done' }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    return { kind: 'impossible', reason: words.push.noService(error.message) }
  }
}

export async function unsubscribe(window: Window, client: Pick<Client, 'unsubscribePush'>): Promise<void> {
  const worker = await window.navigator.serviceWorker.getRegistration()
  await (await worker?.pushManager.getSubscription())?.unsubscribe()
  await client.unsubscribePush()
}

function bodyOf({ endpoint, keys }: PushSubscriptionJSON): PushSubscriptionBody {
  return {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
    language: languageOf(locale()),
  }
}
