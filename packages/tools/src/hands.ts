/**
 * Owns what a tool may do with. The executor gives these out for one permit, and they reach no further than the
 * resources that the permit names.
 */
import type { FoundPlace, Place } from './look.ts'

export interface Hands {
  readonly files: FileHands
  readonly shell: ShellHands
  readonly web: WebHands
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

export interface ShellCommand {
  readonly argv: readonly string[]
  readonly cwd: string
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
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  readonly truncated: boolean
}
