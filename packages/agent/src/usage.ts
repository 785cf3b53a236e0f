/** What a call to a model used, and how it can fail: what both the model and whoever counts its money speak of. */
/** Tokens. `input` includes `cached` and `written`, `output` includes `reasoning`. */
export interface ModelUsage {
  readonly input: number
  readonly output: number
  readonly cached: number
  /** Put into the provider's cache, which some charge more for. */
  readonly written?: number
  readonly reasoning: number
}

export type FailureKind =
  | 'rate_limited'
  | 'unavailable'
  | 'timeout'
  | 'network'
  | 'key'
  | 'invalid'
  | 'truncated'
  | 'cancelled'
  | 'budget'
  | 'unknown'
