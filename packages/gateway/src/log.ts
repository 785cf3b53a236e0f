/** Owns the gateway's log: one line each, time first, secrets redacted, the same line not more than once a second. */

export type Log = (line: string) => void

export function createLog(
  write: (line: string) => void,
  redact: (text: string) => string,
  clock: () => Date,
): Log {
  let last = { line: '', at: 0, skipped: 0 }
  return (line) => {
    const now = clock()
    const repeated = line === last.line && now.getTime() - last.at < 1_000
    if (repeated) {
      last.skipped += 1
      return
    }
    if (last.skipped > 0) write(`${now.toISOString()} (the last line ${last.skipped} more times)\n`)
    last = { line, at: now.getTime(), skipped: 0 }
    write(`${now.toISOString()} ${redact(line)}\n`)
  }
}

/** The words of a problem, with its causes. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : ` (${errorText(error.cause)})`
  return `${error.name}: ${error.message}${cause}`
}

/** As many as somebody reads who looks what went wrong. */
const mostKept = 1_000

/** Passes lines on, and keeps the last ones. */
export function keepLines(write: (line: string) => void): {
  readonly write: (line: string) => void
  readonly lines: () => readonly string[]
} {
  const kept: string[] = []
  return {
    write(line) {
      write(line)
      kept.push(line.trimEnd())
      if (kept.length > mostKept) kept.shift()
    },
    lines: () => kept,
  }
}
