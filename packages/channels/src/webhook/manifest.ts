/** Owns what a web hook says about itself: programs that sign what they send, and one address that is told the answers. */
import { z } from 'zod'
import { HttpAddress } from '../frame/http-address.ts'
import type { ChannelManifest } from '../frame/manifest.ts'

export const WebhookSettings = z.strictObject({
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
    .default('webhook')
    .describe('What the sender is called here, and the conversation with it.'),
  url: HttpAddress.optional().describe('Address to which answers are posted; without one nothing is sent.'),
  ends: z
    .boolean()
    .default(false)
    .describe('Whether that address is told of every run that ends, by its id and why.'),
})
export type WebhookSettings = z.infer<typeof WebhookSettings>

export const webhookManifest: ChannelManifest = {
  kind: 'webhook',
  title: 'Web hook',
  about:
    'Takes signed messages from other programs and from GitHub, and posts answers to an address of yours.',
  steps: [
    'Let the other program post to /hooks/channels/<name> of your gateway, as JSON and signed as Standard Webhooks say; GitHub does it its own way, with the content type application/json.',
    'Its message is the field "text" of the JSON. With "from" and "chat" it can speak for several people in several conversations. Other JSON is read as it stands.',
    'To hear answers, give the address of a program that checks the signature and takes each webhook-id once.',
  ],
  settings: WebhookSettings,
  secrets: [
    { name: 'secret', label: 'Secret of Standard Webhooks (whsec_…) for what comes in', optional: true },
    { name: 'previous', label: 'The one before it, while senders change over', optional: true },
    { name: 'github', label: 'Secret of the web hook at GitHub', optional: true },
    { name: 'sending', label: 'Another secret (whsec_…) by which answers are signed', optional: true },
  ],
  text: { most: 50_000, unit: 'characters' },
  files: null,
  can: { edit: false, typing: false, buttons: false, groups: false },
  // Standard Webhooks demand of a receiver that it takes what comes again under one webhook-id once.
  sendsOnce: true,
  // A program signs, and whoever stands behind it is not seen.
  proves: 'nothing',
  decides: 0,
  web: true,
  noticeChat(settings) {
    const { source, url } = WebhookSettings.parse(settings)
    return url === undefined ? undefined : source
  },
  tellsEnds: (settings) => WebhookSettings.parse(settings).ends,
  direction: 'both',
}
