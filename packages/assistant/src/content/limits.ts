/** Owns how much is indexed at most, and for how long. */
export const contentLimits = {
  /** Characters of a piece: about what a small model reads. */
  piece: 1_000,
  /** Pieces of one message, note or file; the rest of a longer one is found by other means. */
  piecesEach: 50,
  /** Pieces of a collection; the oldest leave first. */
  pieces: 50_000,
  /** After that long a message leaves the index. It stays in its conversation. */
  conversationDays: 730,
  /** Sources that get their pieces at once. */
  batch: 100,
  /** Files that are read at once. */
  files: 50,
} as const
