/** Owns whose week it is: the profile that setup and the first days leave behind, and what is there when the week begins. */
import { z } from 'zod'

export const PersonFile = z.strictObject({
  name: z.string(),
  about: z.string(),
  /** The first day of the week. */
  monday: z.iso.date(),
  workspace: z.string(),
  /** What the installed product knows: one goal and ten memories, besides the name. */
  goal: z.string(),
  memories: z.array(z.string()).length(10),
  /** Names of the secrets that the operator put in. */
  secrets: z.array(z.string()),
  /** Lines of `workspace.ts`. */
  files: z.array(z.string()),
})
export type PersonFile = z.infer<typeof PersonFile>
