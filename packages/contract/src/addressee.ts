/** Owns to whom a message may be addressed. */
import { z } from 'zod'

/** To whom a message goes that begins a conversation; one of them at most. */
export const Addressee = z.object({
  /** An agent by id or name. */
  agent: z.string().min(1).max(100).optional(),
  goal: z.string().min(1).max(100).optional(),
  /** A team, whose router picks the agent. */
  team: z.string().min(1).max(100).optional(),
})
export type Addressee = z.infer<typeof Addressee>
