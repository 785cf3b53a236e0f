/** Owns which adapter stands for which kind of channel. Each is loaded only in its own process. */
import type { ChannelAdapter } from './frame/adapter.ts'

type AnyAdapter = ChannelAdapter<Readonly<Record<string, unknown>>>

export const adapters: Readonly<Record<string, () => Promise<AnyAdapter>>> = {
  telegram: async () => (await import('./telegram/adapter.ts')).telegramAdapter,
  slack: async () => (await import('./slack/adapter.ts')).slackAdapter,
  discord: async () => (await import('./discord/adapter.ts')).discordAdapter,
  email: async () => (await import('./email/adapter.ts')).emailAdapter,
  matrix: async () => (await import('./matrix/adapter.ts')).matrixAdapter,
  whatsapp: async () => (await import('./whatsapp/adapter.ts')).whatsappAdapter,
  signal: async () => (await import('./signal/adapter.ts')).signalAdapter,
  xmpp: async () => (await import('./xmpp/adapter.ts')).xmppAdapter,
  irc: async () => (await import('./irc/adapter.ts')).ircAdapter,
  mqtt: async () => (await import('./mqtt/adapter.ts')).mqttAdapter,
  ntfy: async () => (await import('./ntfy/adapter.ts')).ntfyAdapter,
  webhook: async () => (await import('./webhook/adapter.ts')).webhookAdapter,
}
