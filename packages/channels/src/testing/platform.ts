/**
 * Owns what a platform looks like to the tests: a server that speaks its real protocol on this computer, and people who
 * use it. Each channel has one beside its adapter; the same cases are put to all of them.
 */

import type { WebAnswer, WebRequest } from '../frame/protocol.ts'

export interface Person {
  readonly id: string
  readonly name: string
}

export interface TestChat {
  readonly id: string
  readonly kind: 'private' | 'group'
}

export interface SaidOptions {
  /** They name us, or answer one of our messages. */
  readonly addressed?: boolean
  /** The platform's id of a message of ours that is quoted or answered. */
  readonly answers?: string
  readonly forwarded?: boolean
  /** One of `TestPlatform.thread`. */
  readonly thread?: string
  readonly file?: { readonly name: string; readonly bytes: Uint8Array; readonly voice?: boolean }
}

/** What somebody in the chat sees of us, in the order in which it came. */
export interface Shown {
  readonly id: string
  /** As it is read there: without the marks that make it bold, with what was escaped put back. */
  readonly text: string
  readonly edited: boolean
  readonly thread?: string | null
  /** Whom it calls by name: people, or everybody. */
  readonly pings?: readonly string[]
  /** Where a press on some words of it leads. */
  readonly links?: readonly string[]
  readonly buttons: readonly { readonly label: string; readonly data: string }[]
  readonly file: { readonly name: string; readonly bytes: Uint8Array } | null
}

/** What goes wrong with the next message that is sent there. */
export type Fault =
  | { readonly kind: 'slow-down'; readonly afterMs: number }
  | { readonly kind: 'refused' }
  /** The connection is lost before the server has read it. */
  | { readonly kind: 'lost-before' }
  /** The server has it, and its answer is lost. */
  | { readonly kind: 'lost-after' }

export interface TestPlatform {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
  /** Of the channel of a plugin: where the server is, as `127.0.0.1:port`, so that it is reached from the sandbox too. */
  readonly host?: string
  readonly people: { readonly ana: Person; readonly ben: Person; readonly bot?: Person }
  /** What comes from a chat has its id, and what is sent to that id is shown there. */
  readonly chats: { readonly ana: TestChat; readonly ben: TestChat; readonly group: TestChat | null }
  /** A thread of the group. */
  readonly thread?: string
  /** One more person, with a private chat of their own, where a test wants more than two. */
  joins?(number: number): { readonly who: Person; readonly chat: TestChat }
  /** Well formed, and of no chat. */
  readonly nowhere?: string
  /** As `secrets`, and wrong. Where it is missing, the last letter of every secret is changed. */
  readonly wrongSecrets?: Readonly<Record<string, string>>
  /** Given before the start, where the platform sends to the address of the channel on the web. Answers 503 while nobody is there. */
  reach?(ask: (request: WebRequest) => Promise<WebAnswer>): void
  /** Resolves with the platform's id, once the server has it. */
  says(who: Person, chat: TestChat, text: string, options?: SaidOptions): Promise<string>
  edits?(who: Person, chat: TestChat, message: string, text: string): Promise<void>
  deletes?(who: Person, chat: TestChat, message: string): Promise<void>
  presses?(who: Person, chat: TestChat, message: string, data: string): Promise<void>
  /** Tells the adapter once more of everything that it was told since the start. */
  repeats?(): Promise<void>
  shown(chat: TestChat): readonly Shown[]
  /** Undefined where the server cannot be made to do so. */
  fail?(fault: Fault): void
  /** Ends every connection of the adapter; the server goes on. */
  disconnect(): Promise<void>
  /** The server is away, and comes back with all that it knew. */
  away(): Promise<void>
  back(): Promise<void>
  close(): Promise<void>
}
