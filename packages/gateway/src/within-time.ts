/** Owns trying something for a bounded time: what came of it, or why nothing did. */

/** Longer than any part that works takes, and shorter than anybody waits for an answer. */
const longestTryMs = 3_000

export type TimedResult<T> = { readonly value: T } | { readonly problem: string }

/** Never rejects and never takes longer. */
export async function withinTime<T>(work: Promise<T>, mostMs = longestTryMs): Promise<TimedResult<T>> {
  const late = Promise.withResolvers<TimedResult<T>>()
  const timer = setTimeout(() => late.resolve({ problem: `No answer within ${mostMs} ms.` }), mostMs)
  const done = work.then(
    (value): TimedResult<T> => ({ value }),
    (problem: unknown): TimedResult<T> => ({
      problem: problem instanceof Error ? problem.message : String(problem),
    }),
  )
  const first = await Promise.race([done, late.promise])
  clearTimeout(timer)
  return first
}
