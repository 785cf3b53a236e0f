/** Replaces the clock of a process: every date made without arguments, and `Date.now`, take their time from `now`. */
export function replaceDate(now: () => number): void {
  const RealDate = Date

  class ReplacedDate extends RealDate {
    constructor(...given: [] | [number | string | Date]) {
      if (given.length === 0) super(now())
      else super(...given)
    }

    static override now(): number {
      return now()
    }

    /** What the platform makes by itself, as the times of a file, is a date too. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Function.prototype[Symbol.hasInstance].call(RealDate, value)
    }
  }
  // More than one argument are the parts of a local time, which nobody here uses.
  globalThis.Date = ReplacedDate as DateConstructor
}
