/** Owns what ntfy says about itself: notices to phones by a server that anybody can run, and no way to write back. */
import { z } from 'zod'
import { HttpAddress } from '../frame/http-address.ts'
import type { ChannelManifest } from '../frame/manifest.ts'

export const NtfyTopic = z.string().regex(/^[-_A-Za-z0-9]{1,64}$/)

export const NtfySettings = z.strictObject({
  server: HttpAddress.describe('Address of the server, such as https://ntfy.sh, without a topic.'),
  topic: NtfyTopic.describe('The topic to which notices go.'),
  title: z.string().min(1).max(100).default('Countersign').describe('Stands above every notice.'),
  priority: z.int().min(1).max(5).default(3).describe('From 1, the lowest, to 5, which breaks silence.'),
  tags: z
    .array(z.string().regex(/^[\w+-]{1,40}$/))
    .max(5)
    .default([])
    .describe('Words below the text; the name of an emoji becomes one.'),
  click: HttpAddress.optional().describe('Address that a tap opens, such as that of the app.'),
  actions: z
    .array(z.strictObject({ label: z.string().min(1).max(40), url: HttpAddress }))
    .max(3)
    .default([])
    .describe('Buttons that open an address, each with a label and a url.'),
})
export type NtfySettings = z.infer<typeof NtfySettings>

export const ntfyManifest: ChannelManifest = {
  kind: 'ntfy',
  title: 'ntfy',
  about: 'Sends notices to your phone through ntfy.sh or your own ntfy server.',
  steps: [
    'Install the ntfy app and subscribe to a topic with a name that nobody can guess: whoever knows it can read along.',
    'On a server with accounts, create a token that may write to the topic.',
  ],
  settings: NtfySettings,
  secrets: [
    { name: 'token', label: 'Access token (tk_…), from Account in the web app of ntfy', optional: true },
  ],
  // A server takes 4,096 bytes, and JSON of twice as much: so many bytes fit even where each needs an escape.
  text: { most: 3_000, unit: 'bytes' },
  files: null,
  can: { edit: false, typing: false, buttons: false, groups: false },
  // It has no key: what is published twice is shown twice.
  sendsOnce: false,
  proves: 'nothing',
  decides: 0,
  identity: (settings, id) => `${id} at ${String(settings['server'])}`,
  web: false,
  noticeChat: (settings) => NtfySettings.parse(settings).topic,
  direction: 'out',
}
