/** Owns every limit of a run, in one place. */
export interface Limits {
  readonly turns: number
  readonly toolCalls: number
  readonly sameToolInARow: number
  /** Wall time of the run without the time it waited for people. */
  readonly activeMs: number
  readonly maxOutputTokens: number
  /** Tries at once after a passing failure of the model, before the run waits for longer. */
  readonly modelRetries: number
  readonly modelRetryDelayMs: number
  /** A provider that asks for more is left alone: the run parks. */
  readonly longestImmediateWaitMs: number
  /** Later tries of a parked run, as many as the kind of failure allows. */
  readonly delayedRetry: {
    readonly rateLimited: number
    readonly network: number
    readonly other: number
    readonly baseMs: number
    readonly factor: number
    readonly longestMs: number
    readonly longestAskedMs: number
    /** The share by which a wait is longer or shorter by chance. */
    readonly jitter: number
  }
  readonly callsPerTurn: number
}

export const conversationLimits: Limits = {
  turns: 50,
  toolCalls: 200,
  sameToolInARow: 5,
  activeMs: 10 * 60_000,
  maxOutputTokens: 8_192,
  modelRetries: 2,
  modelRetryDelayMs: 1_500,
  longestImmediateWaitMs: 5_000,
  delayedRetry: {
    rateLimited: 5,
    network: 3,
    other: 2,
    baseMs: 10_000,
    factor: 2,
    longestMs: 10 * 60_000,
    longestAskedMs: 60 * 60_000,
    jitter: 0.2,
  },
  callsPerTurn: 32,
}
