/** Owns the shapes of web push: a browser that wants to be told, and what it is told. */
import { z } from 'zod'
import { GoalQuietHours } from './goal-limits.ts'
import { Language } from './language.ts'

/** What a notification is about. */
export const NotificationKind = z.enum([
  'approval',
  'question',
  'failure',
  'reminder',
  'budget',
  'finished',
  'summary',
])
export type NotificationKind = z.infer<typeof NotificationKind>

/** What one device is told, and when it is left alone. */
export const PushPreferences = z.strictObject({
  kinds: z.array(NotificationKind).max(NotificationKind.options.length),
  quiet: GoalQuietHours.nullable(),
})
export type PushPreferences = z.infer<typeof PushPreferences>

export const usualPushPreferences: PushPreferences = {
  kinds: ['approval', 'question', 'failure', 'reminder', 'budget'],
  quiet: null,
}

export const PushKey = z.strictObject({
  publicKey: z.string(),
  subscriptions: z.int(),
  /** Of the device that asks; null while it is not subscribed. */
  preferences: PushPreferences.nullable(),
})
export type PushKey = z.infer<typeof PushKey>

/** As the browser gives it, and the language in which it wants to be told. */
export const PushSubscriptionBody = z.strictObject({
  endpoint: z.url({ protocol: /^https$/ }).max(1000),
  keys: z.strictObject({ p256dh: z.string().min(60).max(120), auth: z.string().min(16).max(64) }),
  language: Language,
})
export type PushSubscriptionBody = z.infer<typeof PushSubscriptionBody>

/** What a service worker shows. A tap opens the address; nothing is decided from a notification. */
export const PushMessage = z.strictObject({
  title: z.string(),
  body: z.string(),
  url: z.string(),
  tag: z.string(),
})
export type PushMessage = z.infer<typeof PushMessage>

/** As it is sent: the text of a `PushMessage`, and the gateway's signature over `notificationText`. */
export const SignedNotification = z.strictObject({ message: z.string(), signature: z.base64() })
export type SignedNotification = z.infer<typeof SignedNotification>

export const PushTest = z.strictObject({ ok: z.boolean(), problem: z.string().nullable() })
export type PushTest = z.infer<typeof PushTest>
