/** What tests of other packages need to talk in a channel as people do. */

export { openDiscordPlatform } from '../discord/testing/platform.ts'
export { openEmailPlatform } from '../email/testing/platform.ts'
export { openIrcPlatform } from '../irc/testing/platform.ts'
export { openMatrixPlatform } from '../matrix/testing/platform.ts'
export { startMqtt } from '../mqtt/testing/platform.ts'
export { openSignalPlatform } from '../signal/testing/platform.ts'
export { openSlackPlatform } from '../slack/testing/platform.ts'
export { openTelegramPlatform } from '../telegram/testing/platform.ts'
export { startWebhook } from '../webhook/testing/platform.ts'
export { openWhatsappPlatform } from '../whatsapp/testing/platform.ts'
export { openXmppPlatform } from '../xmpp/testing/platform.ts'
export type * from './platform.ts'
