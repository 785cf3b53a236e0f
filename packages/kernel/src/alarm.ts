/** Owns the timer for the first run that goes on by itself. The sweep finds those of other processes. */

export interface Alarm {
  /** A run goes on at this time. */
  set(due: Date | null): void
  close(): void
}

const day = 24 * 60 * 60_000

export function createAlarm(options: {
  readonly clock: () => Date
  /** Lets go on what is due, and says when the next is. */
  readonly wake: (now: Date) => Promise<Date | null>
  readonly onProblem: (error: unknown) => void
}): Alarm {
  const { clock, wake, onProblem } = options
  let closed = false
  let alarmed: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined

  function set(due: Date | null): void {
    if (!due || closed || (alarmed && alarmed.at <= due.getTime())) return
    clearTimeout(alarmed?.timer)
    const timer = setTimeout(
      () => {
        alarmed = undefined
        wake(clock()).then(set, onProblem)
      },
      Math.min(Math.max(0, due.getTime() - clock().getTime()), day),
    )
    alarmed = { at: due.getTime(), timer }
  }

  return {
    set,
    close() {
      closed = true
      clearTimeout(alarmed?.timer)
    },
  }
}
