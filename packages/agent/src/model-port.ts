/** What the loop needs of a model. Implemented by the models package; the loop never sees a provider. */
import type { Purpose } from '@countersign/contract'
import type { Meter, Shortage } from './meter.ts'
import type { FailureKind, ModelUsage } from './usage.ts'

export interface ModelPort {
  /**
   * Streams one reply. Never rejects: the last chunk is `end` or `failed`, and exactly one of them is sent.
   * Aborting the signal ends the stream with a `failed` chunk of kind `cancelled`. Every call to a provider that
   * this takes, delivered or not, is reserved and settled with the meter.
   */
  stream(request: ModelRequest, signal: AbortSignal, meter: Meter): AsyncIterable<ModelChunk>
  /** Whether a model that may answer such a request takes pictures; left out, none does. */
  takesPictures?(request: Pick<ModelRequest, 'purpose' | 'model'>): Promise<boolean>
}

export interface ModelRequest {
  readonly purpose: Purpose
  /** One model by its reference, `provider/model`; left out, the route of the purpose decides. */
  readonly model?: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolSpec[]
  readonly maxOutputTokens: number
  /** From 0 to 2; left out, the provider's own. A model that takes none goes without. */
  readonly temperature?: number
  /** `auto` where nothing is said. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string }
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly ModelImage[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly RawCall[] }
  | { readonly role: 'tool'; readonly results: readonly CallReply[] }

export interface ModelImage {
  /** Such as `image/png`. */
  readonly mediaType: string
  readonly base64: string
}

/** A call exactly as the model wrote it; `args` is unparsed text and may be anything. */
export interface RawCall {
  readonly id: string
  readonly name: string
  readonly args: string
  /** Why the call cannot be taken at all, in words for the model. It is answered with them and never proposed. */
  readonly problem?: string
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
  /** A piece of a call that is being written. For eyes only: what counts is the call in the reply. */
  | { readonly type: 'call'; readonly tool: string; readonly text: string }
  /** The attempt so far came to nothing and another begins; what was shown of it no longer holds. */
  | { readonly type: 'again'; readonly failure: ModelFailure; readonly next: string }
  | { readonly type: 'end'; readonly reply: ModelReply }
  | { readonly type: 'failed'; readonly failure: ModelFailure }

export interface ModelReply {
  readonly text: string
  readonly calls: readonly RawCall[]
  readonly finish: 'stop' | 'calls' | 'length' | 'filtered' | 'other'
  /** What it thought before, where the provider tells it; the beginning, for eyes only. Never shown to a model again. */
  readonly reasoning?: string
  readonly usage: ModelUsage
  /** As the provider names it. */
  readonly model: string
}

export interface ModelFailure {
  readonly kind: FailureKind
  readonly message: string
  /** Who failed, where one provider did. */
  readonly provider?: string
  /** The model that failed, by its reference. */
  readonly model?: string
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs?: number
  /** With `budget`: which limit stood in the way, and by how much. */
  readonly shortage?: Shortage
}
