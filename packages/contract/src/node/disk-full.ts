/** Owns how a full disk is recognised, and the words for it. */

export const diskFullWords = 'The disk is full, so nothing can be recorded.'

/** As the operating system says it, or the database; however deep. */
export function isDiskFull(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('code' in each && (each.code === 'ENOSPC' || each.code === '53100')) return true
  return false
}
