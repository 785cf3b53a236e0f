/** Owns what Slack says about itself as a channel. */
import { z } from 'zod'
import { HttpAddress } from '../frame/http-address.ts'
import type { ChannelManifest } from '../frame/manifest.ts'

export const SlackSettings = z.strictObject({
  /** Where the Web API is; only tests and proxies need another. */
  apiUrl: HttpAddress.optional(),
})
export type SlackSettings = z.infer<typeof SlackSettings>

export const slackManifest: ChannelManifest = {
  kind: 'slack',
  title: 'Slack',
  about: 'An app in your Slack workspace that you write to directly or mention in channels.',
  steps: [
    'Open https://api.slack.com/apps and create an app from scratch in your workspace.',
    'Under Socket Mode, switch it on and create an app-level token with the scope connections:write.',
    'Under OAuth & Permissions, add the bot scopes app_mentions:read, channels:read, chat:write, files:read, files:write, groups:read, im:history, im:read, im:write and users:read.',
    'Under Event Subscriptions, switch events on and subscribe the bot to app_mention and message.im. For answers in threads that do not mention it, also to message.channels and message.groups, with the scopes channels:history and groups:history.',
    'Under Interactivity & Shortcuts, switch interactivity on.',
    'Under App Home, allow people to send messages from the messages tab.',
    'Install the app to the workspace and copy the bot token.',
    'Invite the app to each channel where it should answer.',
  ],
  settings: SlackSettings,
  secrets: [
    { name: 'appToken', label: 'App-level token (xapp-…), from Basic Information' },
    { name: 'botToken', label: 'Bot token (xoxb-…), from OAuth & Permissions' },
  ],
  // Slack shows up to 4,000 characters as one message.
  text: { most: 3_500, unit: 'characters' },
  files: { most: 50_000_000 },
  can: { edit: true, typing: false, buttons: true, groups: true },
  // It takes no key with a message.
  sendsOnce: false,
  proves: 'sender',
  decides: 2,
  web: false,
  direction: 'both',
}
