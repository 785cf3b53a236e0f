/** Owns what Discord says about itself as a channel. */
import { z } from 'zod'
import { HttpAddress } from '../frame/http-address.ts'
import type { ChannelManifest } from '../frame/manifest.ts'

export const DiscordSettings = z.strictObject({
  /** Where the API is; only tests and proxies need another. */
  apiUrl: HttpAddress.optional(),
})
export type DiscordSettings = z.infer<typeof DiscordSettings>

export const discordManifest: ChannelManifest = {
  kind: 'discord',
  title: 'Discord',
  about: 'A bot that you write to directly or mention in the channels of your server.',
  steps: [
    'Open https://discord.com/developers/applications and create an application.',
    'Under Bot, reset the token and copy it. No privileged intent is needed.',
    'Under Bot, switch Public Bot off, so that nobody else adds it to a server.',
    'Under OAuth2, make an address with the scope bot and the permissions View Channels, Send Messages, Send Messages in Threads, Embed Links, Attach Files and Read Message History.',
    'Open that address and add the bot to your server; people who share a server with it can write to it directly.',
  ],
  settings: DiscordSettings,
  secrets: [{ name: 'botToken', label: 'Bot token, from the page Bot of the application' }],
  // Discord takes 2,000 characters, and the marks that keep a text from becoming markup count among them.
  text: { most: 1_800, unit: 'characters' },
  files: { most: 10_000_000 },
  can: { edit: true, typing: true, buttons: true, groups: true },
  // It knows what was sent before only for some minutes. For that long the adapter itself tries again.
  sendsOnce: false,
  proves: 'sender',
  decides: 2,
  web: false,
  direction: 'both',
}
