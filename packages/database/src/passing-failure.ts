/** Owns which failures of the database pass by themselves. */

/** The database went away or is coming up; nothing is wrong with the work. */
export function isPassingFailure(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  if (/^(08|53|57P|40|ECONN|ENOENT|EPIPE)/.test(code)) return true
  return (
    error instanceof Error &&
    /terminated|timeout exceeded when trying to connect|not queryable/i.test(error.message)
  )
}
