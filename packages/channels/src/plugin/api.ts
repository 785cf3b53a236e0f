/**
 * Owns what the author of a channel imports as `countersign/channels`, in the sandbox and on the author's own computer: what an
 * adapter is, and what most of them need. The last part is for the runner that loads it.
 */
import type { Readable } from 'node:stream'
import type { ChannelAdapter, ChannelConnection, ChannelContext } from '../frame/adapter.ts'
import { type ChannelLine, serveChannel } from '../frame/serve.ts'
import { encodeLine, readMessages } from '../frame/wire.ts'
import { type DeclaredChannel, declaredManifest, declaredSecret } from './declared.ts'

export type { ChannelConnection } from '../frame/adapter.ts'
export { RejectedError } from '../frame/adapter.ts'
export { cleanText, cutText } from '../frame/clean-text.ts'
export type { Chat, InboundEvent, InboundFile, InboundMessage, Sender } from '../frame/events.ts'
export { type Account, keepConnected } from '../frame/keep-connected.ts'
export { createKeeper, type Keeper } from '../frame/keeper.ts'
export { plainMarkdown } from '../frame/plain-markdown.ts'
export type { Button, OutboundFile, OutboundMessage, SendResult } from '../frame/protocol.ts'
export { createTaking, pauseAfter, type Taking } from '../frame/take-in-turn.ts'
export { jsonIn, retryAfterMs, type WebCall, type WebCallResult, webCall } from '../frame/web-call.ts'
export type { DeclaredChannel, DeclaredField } from './declared.ts'

/** The version of what a channel and the product say to each other. It is that of the plugin. */
export const channelApi = 1

type Settings = Readonly<Record<string, unknown>>

export interface PluginChannelContext extends Omit<ChannelContext<Settings>, 'secrets'> {
  /** Its one credential; undefined where it asks for none. */
  readonly credential: string | undefined
}

export interface PluginChannelDefinition extends Omit<DeclaredChannel, 'settings'> {
  readonly settings?: DeclaredChannel['settings']
  /**
   * Opens the way. It goes on trying when the platform cannot be reached, and says so; it throws `RejectedError` only for
   * what a person must change.
   */
  open(context: PluginChannelContext): Promise<ChannelConnection>
}

/** A plugin that is a channel exports this as `channel`. */
export function pluginChannel(definition: PluginChannelDefinition): PluginChannelDefinition {
  return definition
}

/** As it stands in the manifest. */
export function channelListing(definition: PluginChannelDefinition): DeclaredChannel {
  const { title, about, steps, settings = {}, secret, text, files, can, sendsOnce, proves } = definition
  const fields = Object.entries(settings).map(([name, field]) => {
    const { kind, about: what, choices, optional = false } = field
    return [name, { kind, about: what, ...(choices ? { choices } : {}), optional }] as const
  })
  return {
    title,
    about,
    steps,
    settings: Object.fromEntries(fields),
    secret,
    text,
    files,
    can,
    sendsOnce,
    proves,
  }
}

export function adapterOf(kind: string, definition: PluginChannelDefinition): ChannelAdapter<Settings> {
  return {
    manifest: declaredManifest(kind, channelListing(definition)),
    open: ({ secrets, settings, state, take, keep, connected, disconnected, signal }) =>
      definition.open({
        settings,
        credential: secrets[declaredSecret],
        state,
        take,
        keep,
        connected,
        disconnected,
        signal,
      }),
  }
}

export { encodeLine, readMessages }

/** For the runner: speaks with the gateway over these streams until one of both ends. */
export function servePluginChannel(
  definition: PluginChannelDefinition,
  { say, hear, end }: { say(text: string): void; hear: Readable; end: ChannelLine['end'] },
): void {
  serveChannel(adapterOf('plugin', definition), {
    send: (message) => say(encodeLine(message)),
    receive: (message) => readMessages(hear, { message, broken: () => end(1) }),
    lost: (listener) => void hear.on('close', listener),
    end,
  })
}
