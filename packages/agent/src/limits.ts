/** Owns every limit of a run, in one place. */
export interface Limits {
  readonly turns: number
  readonly toolCalls: number
  readonly sameToolInARow: number
  /** Wall time of the run without the time it waited for people. */
  readonly activeMs: number
  readonly maxOutputTokens: number
  /** Tries again after a passing failure of the model, before the run gives up. */
  readonly modelRetries: number
  readonly modelRetryDelayMs: number
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
  callsPerTurn: 32,
}
