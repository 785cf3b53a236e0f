/** Owns what the Telegram channel says about itself. */
import { z } from 'zod'
import type { ChannelManifest } from '../frame/manifest.ts'

export const TelegramSettings = z.strictObject({
  /** A Bot API server of one's own. */
  apiRoot: z.url({ protocol: /^https?$/ }).optional(),
})

export const telegramManifest: ChannelManifest = {
  kind: 'telegram',
  title: 'Telegram',
  about: 'A bot in Telegram, in private chats and in groups.',
  steps: [
    'Open a chat with @BotFather in Telegram, send /newbot, and choose a name and a username.',
    'Copy the token that BotFather answers with. Use a bot that no other program uses.',
    'To let it read everything in groups, send /setprivacy to BotFather and choose Disable. Otherwise it only hears mentions, commands and answers.',
  ],
  settings: TelegramSettings,
  secrets: [{ name: 'token', label: 'The token of the bot, from @BotFather' }],
  text: { most: 4_096, unit: 'characters' },
  files: { most: 50_000_000 },
  can: { edit: true, typing: true, buttons: true, groups: true },
  sendsOnce: false,
  proves: 'sender',
  decides: 2,
  web: false,
  direction: 'both',
}
