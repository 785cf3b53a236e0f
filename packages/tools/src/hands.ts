/**
 * Owns what a tool may do with. The executor gives these out for one permit, and they reach no further than the
 * resources that the permit names.
 */
import type { JsonObject, JsonValue } from '@countersign/contract'
import type { FoundPlace, Place } from './look.ts'

export interface Hands {
  /** The session on whose behalf the call is made; what stays open between calls, as a browser page, belongs to one. */
  readonly session: string
  readonly files: FileHands
  readonly shell: ShellHands
  readonly web: WebHands
  readonly browser: BrowserHands
  readonly script: ScriptHands
}

export type Failure = { readonly kind: 'failed'; readonly reason: string }

export interface FileHands {
  place(path: string): Place
  /** Reads the beginning of the file that the permit names. Fails if its content is no longer what was approved. */
  read(
    place: FoundPlace,
    maxBytes: number,
  ): Promise<{ readonly kind: 'read'; readonly bytes: Uint8Array; readonly size: number } | Failure>
  list(
    place: FoundPlace,
    depth: number,
  ): Promise<
    { readonly kind: 'listed'; readonly entries: readonly Entry[]; readonly truncated: boolean } | Failure
  >
  /** Replaces the file in one step, or removes it when `bytes` is null. */
  write(place: FoundPlace, bytes: Uint8Array | null): Promise<Written | Failure>
}

export type Written = { readonly kind: 'written'; readonly before: Before }

/** What was there before a write, so that it can be put back. */
export type Before =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }

export interface Entry {
  readonly path: string
  readonly type: 'file' | 'directory' | 'link' | 'other'
  readonly size: number
}

export interface ShellHands {
  run(command: ShellCommand): Promise<Ran | Failure>
}

/** Runs under the sandbox profile of the tool's definition, which the permit binds. */
export interface ShellCommand {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly stdin?: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface Ran {
  readonly kind: 'ran'
  readonly end:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'killed'; readonly why: 'timeout' | 'cancelled' }
  readonly stdout: string
  readonly stderr: string
  readonly truncated: boolean
}

export interface WebHands {
  request(request: WebRequest): Promise<WebResponse | Failure>
}

/** A handle such as `{{secret:name}}` in the address, a header or the body becomes its value on the way out. */
export interface WebRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface WebResponse {
  readonly kind: 'response'
  /** Where the answer came from, after the redirects that the permit allows. */
  readonly url: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  readonly truncated: boolean
}

export type BrowserAction =
  | { readonly action: 'navigate'; readonly url: string }
  | { readonly action: 'text'; readonly selector: string | null }
  | { readonly action: 'html'; readonly selector: string | null }
  | { readonly action: 'screenshot'; readonly fullPage: boolean }
  | { readonly action: 'click'; readonly selector: string }
  | { readonly action: 'fill'; readonly selector: string; readonly value: string }
  | { readonly action: 'evaluate'; readonly code: string }

export interface BrowserHands {
  /** Acts on the page of the session, whose traffic reaches only the hosts that the permit names. */
  act(action: BrowserAction, timeoutMs: number, signal: AbortSignal): Promise<BrowserSeen | Failure>
}

export interface BrowserSeen {
  readonly kind: 'seen'
  readonly url: string
  readonly title: string
  readonly text: string
  /** A picture in PNG. */
  readonly image: Uint8Array | null
}

/** A program for the JavaScript machine, with the answers that it was given so far. */
export interface Script {
  readonly name: string
  readonly code: string
  readonly input: JsonObject
  readonly context: JsonObject
  /** One for each call that the program has made, in order. */
  readonly journal: readonly ScriptAnswer[]
  readonly mayCall: readonly string[]
  /** The same for every run of one call, so that what is replayed comes out the same. */
  readonly seed: string
  readonly now: string
}

export interface ScriptAnswer {
  readonly ok: boolean
  readonly text: string
}

export type ScriptEnd =
  | { readonly kind: 'returned'; readonly value: JsonValue; readonly log: readonly string[] }
  | { readonly kind: 'calls'; readonly calls: readonly { tool: string; args: JsonObject }[] }
  | Failure

export interface ScriptHands {
  run(script: Script, signal: AbortSignal): Promise<ScriptEnd>
}
