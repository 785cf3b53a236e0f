/** Owns the list of channels that come with the product, in the order in which they are offered. */
import { discordManifest } from './discord/manifest.ts'
import { emailManifest } from './email/manifest.ts'
import type { ChannelManifest } from './frame/manifest.ts'
import { ircManifest } from './irc/manifest.ts'
import { matrixManifest } from './matrix/manifest.ts'
import { mqttManifest } from './mqtt/manifest.ts'
import { ntfyManifest } from './ntfy/manifest.ts'
import { signalManifest } from './signal/manifest.ts'
import { slackManifest } from './slack/manifest.ts'
import { telegramManifest } from './telegram/manifest.ts'
import { webhookManifest } from './webhook/manifest.ts'
import { whatsappManifest } from './whatsapp/manifest.ts'
import { xmppManifest } from './xmpp/manifest.ts'

export const manifests: readonly ChannelManifest[] = [
  telegramManifest,
  slackManifest,
  discordManifest,
  emailManifest,
  matrixManifest,
  whatsappManifest,
  signalManifest,
  xmppManifest,
  ircManifest,
  mqttManifest,
  ntfyManifest,
  webhookManifest,
]
