/** Owns what a search over everything answers. */
import { z } from 'zod'
import { Label } from './trust.ts'

export const SearchHit = z.strictObject({
  collection: z.string(),
  /** A note, an entry, a path, a session with the place of the message, or the id of an e-mail. */
  source: z.string(),
  title: z.string(),
  /** The part of it that fits. */
  text: z.string(),
  at: z.iso.datetime(),
  score: z.number(),
  /** What led to it; null where that is worth no less than what the operator keeps anyway. */
  label: Label.nullable(),
})
export type SearchHit = z.infer<typeof SearchHit>

export const SearchAnswer = z.strictObject({
  hits: z.array(SearchHit),
  /** Why words answered alone; null where meaning did too. */
  wordsAlone: z.string().nullable(),
})
export type SearchAnswer = z.infer<typeof SearchAnswer>
