/** Owns which platforms are in the storm, each with its server and its people. */
import { manifests } from '@countersign/channels'
import type { TestPlatform } from '@countersign/channels/testing'
import {
  openDiscordPlatform,
  openIrcPlatform,
  openMatrixPlatform,
  openNamedEmailPlatform,
  openSignalPlatform,
  openSlackPlatform,
  openTelegramPlatform,
  openWhatsappPlatform,
  openXmppPlatform,
  startMqtt,
  startNtfy,
  startWebhook,
} from '@countersign/channels/testing'

export interface PlatformEntry {
  readonly kind: string
  /** What is said while nobody of ours is there comes later. */
  readonly keeps: boolean
  readonly sendsOnce: boolean
  /** Somebody can be let in as the operator. */
  readonly bindable: boolean
  /** Nobody can write there: what is counted are the lines of tests. */
  readonly onlySends: boolean
  /** What answers nothing begins a conversation there. */
  readonly threads: boolean
  open(): Promise<TestPlatform>
}

export const platforms: readonly PlatformEntry[] = [
  entry('telegram', openTelegramPlatform),
  entry('slack', openSlackPlatform),
  entry('discord', openDiscordPlatform),
  entry('matrix', openMatrixPlatform),
  entry('whatsapp', openWhatsappPlatform),
  entry('xmpp', openXmppPlatform),
  entry('email', openNamedEmailPlatform),
  // What is handed out in the instant in which a channel dies is gone.
  entry('signal', openSignalPlatform, false),
  // Whoever is not there hears nothing of what is said meanwhile.
  entry('irc', openIrcPlatform, false),
  entry('mqtt', startMqtt),
  entry('webhook', startWebhook),
  entry('ntfy', startNtfy),
]

function entry(kind: string, open: PlatformEntry['open'], keeps = true): PlatformEntry {
  const manifest = manifests.find((each) => each.kind === kind)
  if (!manifest) throw new Error(`There is no channel ${kind}.`)
  const { sendsOnce, proves, direction } = manifest
  const onlySends = direction === 'out'
  return {
    kind,
    keeps,
    sendsOnce,
    bindable: proves === 'sender' && !onlySends,
    onlySends,
    threads: kind === 'email',
    open,
  }
}
