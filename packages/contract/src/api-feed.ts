/** Owns the shapes of the feed: what happened, each sentence with the ledger entries that it stands on. */
import { z } from 'zod'
import { RunId } from './ids.ts'

export const FeedItem = z.strictObject({
  text: z.string().min(1).max(600),
  /** Numbers of ledger entries; a sentence without any is not told. */
  refs: z.array(z.int().positive()).min(1).max(50),
  goal: z.string().nullable(),
  run: RunId.nullable(),
  /** Something in it can be taken back with `run undo`. */
  undoable: z.boolean(),
})
export type FeedItem = z.infer<typeof FeedItem>

export const FeedView = z.strictObject({
  id: z.string(),
  at: z.string(),
  /** What it tells of: after the first entry, up to the second. */
  from: z.int(),
  upTo: z.int(),
  items: z.array(FeedItem),
  /** A digest is made from the ledger without a model. */
  by: z.enum(['model', 'digest']),
  /** The run that words it, while there is one. */
  run: RunId.nullable(),
})
export type FeedView = z.infer<typeof FeedView>

export const MakeFeed = z.strictObject({
  /** Let a model word it; otherwise the digest stands. */
  worded: z.boolean().default(true),
})
export type MakeFeed = z.infer<typeof MakeFeed>

export const FeedMade = z.strictObject({ feed: FeedView, ledger: z.int() })
export type FeedMade = z.infer<typeof FeedMade>
