/** Owns the limits of what one plan may become while it is carried out, besides those of its run. */

/** Rounds of all loops together. */
export const mostRounds = 2_000
/** Model decisions of one run. */
export const mostDecisions = 500
export const longestBackoffMs = 30_000
