/** Owns how much is indexed at most, and for how long. */
import { searchedLimits } from '@countersign/tools'

export const contentLimits = {
  /** Characters of a piece: about what a small model reads. */
  piece: 1_000,
  /** Pieces of one message, note, file or e-mail; the rest of a longer one is found by other means. */
  piecesEach: 50,
  /** Pieces of a collection; the oldest leave first. */
  pieces: 50_000,
  /** After that long a message or an e-mail leaves the index. It stays where it is. */
  days: searchedLimits.days,
  /** Sources that get their pieces at once. */
  batch: 100,
  /** Files that are read at once. */
  files: 50,
} as const
