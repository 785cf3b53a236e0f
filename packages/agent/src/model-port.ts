/** What the loop needs of a model. Implemented by the models package; the loop never sees a provider. */

export interface ModelPort {
  /**
   * Streams one reply. Never rejects: the last chunk is `end` or `failed`, and exactly one of them is sent.
   * Aborting the signal ends the stream with a `failed` chunk of kind `cancelled`.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelChunk>
}

export interface ModelRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolSpec[]
  readonly maxOutputTokens: number
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly RawCall[] }
  | { readonly role: 'tool'; readonly results: readonly CallReply[] }

/** A call exactly as the model wrote it; `args` is unparsed text and may be anything. */
export interface RawCall {
  readonly id: string
  readonly name: string
  readonly args: string
}

export interface CallReply {
  readonly callId: string
  readonly name: string
  readonly text: string
  readonly isError: boolean
}

export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

export type ModelChunk =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'end'; readonly reply: ModelReply }
  | { readonly type: 'failed'; readonly failure: ModelFailure }

export interface ModelReply {
  readonly text: string
  readonly calls: readonly RawCall[]
  readonly finish: 'stop' | 'calls' | 'length' | 'filtered' | 'other'
  readonly usage: ModelUsage
  readonly model: string
}

export interface ModelUsage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly reasoning: number
}

export interface ModelFailure {
  readonly kind:
    | 'rate_limited'
    | 'unavailable'
    | 'timeout'
    | 'network'
    | 'key'
    | 'invalid'
    | 'truncated'
    | 'cancelled'
    | 'unknown'
  readonly message: string
  readonly retryAfterMs?: number
}
