/** Owns the shape of what a program changed over a view and nobody has decided about. */
import { z } from 'zod'

export const HeldFile = z.strictObject({
  path: z.string().max(8_192),
  change: z.enum(['made', 'changed', 'replaced', 'removed']),
  kind: z.enum(['file', 'folder', 'link']),
  size: z.int().min(0),
  /** It was no program before, and can be run as one afterwards. */
  runs: z.boolean(),
  /** Who may do what with it, where that changed. */
  mode: z.strictObject({ before: z.int().min(0).max(0o777), after: z.int().min(0).max(0o777) }).nullable(),
  /** Where a link leads. */
  target: z.string().max(8_192).nullable(),
  /** It leads out of the workspace, by itself or through links that are there. */
  leadsOut: z.boolean(),
  /** A folder above it holds something called `HEAD`. */
  besideHead: z.boolean(),
  /** All of a new text, or the lines that differ; null where it is no text, or too long to be shown. */
  text: z.string().nullable(),
})
export type HeldFile = z.infer<typeof HeldFile>

/** What one program changed. The digest is over the whole list with all contents, of which this shows a part. */
export const HeldSet = z.strictObject({
  changes: z.string().regex(/^[0-9a-f]{32}$/),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  files: z.array(HeldFile).min(1).max(200),
  /** How many more there are. */
  more: z.int().min(0),
  /** Of what is new and of what it takes the place of. */
  bytes: z.int().min(0),
})
export type HeldSet = z.infer<typeof HeldSet>
