/** Owns after how many days each kind of detail is removed. */
export interface RetentionDays {
  /** Steps of runs as surfaces followed them: calls, cards, waits. What was said is kept. */
  readonly events: number
  /** Arguments and results of calls, undo, and the requests that were decided. */
  readonly details: number
  /** When schedules ran. */
  readonly occurrences: number
}

export const usualRetention: RetentionDays = { events: 30, details: 90, occurrences: 365 }
