/** Owns what an adapter is: the way to one platform, given its settings and its own secrets and nothing else. */
import type { InboundEvent } from './events.ts'
import type { ChannelManifest } from './manifest.ts'
import type { OutboundMessage, SendResult, WebAnswer, WebRequest } from './protocol.ts'

export interface ChannelContext<Settings> {
  readonly settings: Settings
  readonly secrets: Readonly<Record<string, string>>
  /** What it kept last; null at the first start. */
  readonly state: string | null
  /**
   * Hands over what came in. Resolves when it is in the database: only then may the platform be told that it was
   * taken. Rejects when it is not, and then the same event is to be handed over again.
   */
  take(event: InboundEvent): Promise<void>
  /** Resolves when it is kept. For where to go on after a restart, not for messages. */
  keep(state: string): Promise<void>
  connected(account: { readonly id: string; readonly name: string }): void
  disconnected(problem: string): void
  /** Ends everything that waits. */
  readonly signal: AbortSignal
}

export interface ChannelConnection {
  /** One message that fits. Never rejects: what is not known to be sent is `unknown`. */
  send(message: OutboundMessage): Promise<SendResult>
  /** Puts a text in the place of one that was sent. */
  edit?(message: string, change: OutboundMessage): Promise<SendResult>
  typing?(chat: string, thread: string | null): Promise<void>
  /** A file of a message, at most so many bytes. Rejects where there is none or it is larger. */
  fetch?(ref: string, most: number): Promise<Uint8Array>
  /** Tells whoever pressed a button what became of it. */
  pressed?(event: string, text: string): Promise<void>
  /** Answers what was sent to the address of this channel on the web. Whoever sent it is to be told apart by a signature. */
  request?(request: WebRequest): Promise<WebAnswer>
  close(): Promise<void>
}

/**
 * Opens the way. It goes on trying when the platform cannot be reached, and says so; it throws `RejectedError` only
 * for what a person must change.
 */
export interface ChannelAdapter<Settings> {
  readonly manifest: ChannelManifest
  open(context: ChannelContext<Settings>): Promise<ChannelConnection>
}

/** The platform does not accept a setting or a secret. */
export class RejectedError extends Error {
  override readonly name = 'RejectedError'
}
