/** Owns how much of a provider's reply is taken. Beyond it a call is answered with words, and a reply fails. */
const KIB = 1024
const MIB = 1024 * KIB

export const replyLimits = {
  /** Of one call. More is not kept while it streams. */
  argumentBytes: 256 * KIB,
  /** Of a call whose arguments were too long, as much as is shown to the model again. */
  shownArguments: 200,
  textLength: 4 * MIB,
  /** Taken from one reply. The rest is named to the model. */
  calls: 32,
  /** More than this is no reply any longer. */
  namedCalls: 256,
  nameLength: 200,
  /** Of the whole response on the wire, which is many times longer than what it says. */
  streamBytes: 64 * MIB,
  lineBytes: 8 * MIB,
  /** From the request to the end of the reply. */
  longestMs: 10 * 60_000,
} as const
