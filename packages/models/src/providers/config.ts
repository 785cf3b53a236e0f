/** Names which server is called, how it speaks and with what key. Values arrive from the caller; nothing is read from the environment. */
import type { ProviderKind } from '@countersign/contract'

export interface ProviderConfig {
  /** The operator's name for it, the first part of a model's reference. */
  readonly name: string
  readonly kind: ProviderKind
  /** Including the version path, such as `http://127.0.0.1:8080/v1`. Needed for `openai-compatible`. */
  readonly baseUrl?: string
  readonly apiKey?: string
  /** The longest silence that is waited through, before the reply and within it. */
  readonly timeoutMs: number
  /** The longest that a reply may take as a whole; ten minutes where nothing is said. */
  readonly longestMs?: number
  readonly fetch?: typeof globalThis.fetch
}

export interface ModelConfig extends ProviderConfig {
  readonly model: string
  /** Goes along in a header, so that a bill or a question to the provider can name the call in our books. */
  readonly requestId?: string
}
