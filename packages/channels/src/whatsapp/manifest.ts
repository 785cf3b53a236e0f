/** Owns what the channel of WhatsApp says about itself: Meta's own interface for businesses, the Cloud API. */
import { z } from 'zod'
import type { ChannelManifest } from '../frame/manifest.ts'

export const WhatsappSettings = z.strictObject({
  /** Of the number that writes, from the page "API Setup"; not the number itself. */
  phoneNumberId: z.string().regex(/^\d{5,30}$/),
  apiUrl: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .refine((url) => {
      const { protocol, hostname, username, password, search, hash } = new URL(url)
      const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
      return (protocol === 'https:' || isHere) && username + password + search + hash === ''
    }, 'Use https, and no user, password or question mark.')
    .default('https://graph.facebook.com/v23.0'),
})
export type WhatsappSettings = z.infer<typeof WhatsappSettings>

export const whatsappManifest: ChannelManifest = {
  kind: 'whatsapp',
  title: 'WhatsApp',
  about: 'Chats with a business number of WhatsApp, over the Cloud API of Meta.',
  steps: [
    'Create an app of the type Business at developers.facebook.com and add WhatsApp to it.',
    'Add a phone number, and copy its phone number ID from "API Setup".',
    'Create a system user with the permission whatsapp_business_messaging, and a token of it that does not expire.',
    'Copy the app secret from "App settings", "Basic".',
    'After the channel was added, enter its address and your verify token under "Webhooks", and subscribe to messages.',
  ],
  settings: WhatsappSettings,
  secrets: [
    { name: 'accessToken', label: 'Access token of the system user' },
    { name: 'appSecret', label: 'App secret, from "App settings", "Basic"' },
    { name: 'verifyToken', label: 'Verify token: any long word, which you enter at Meta too' },
  ],
  // WhatsApp takes 4096. Every sign that would be markup there takes a second one that keeps it a sign.
  text: { most: 2_000, unit: 'characters' },
  files: { most: 16_000_000 },
  can: { edit: false, typing: true, buttons: true, groups: false },
  sendsOnce: false,
  proves: 'sender',
  decides: 2,
  web: true,
  direction: 'both',
}
