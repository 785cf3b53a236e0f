/** Owns how much of an answer a tool takes and how long it waits for it. */

export const answerLimits = { maxBytes: 5 * 1024 * 1024, timeoutMs: 30_000 } as const

/** The same for every tool that asks the network. */
export const webRate = { calls: 60, seconds: 60 } as const
