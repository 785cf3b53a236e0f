/** Owns the name of whoever began work: the agent, the goal and the conversation of a run. A rule about one holds for it. */
import { z } from 'zod'
import { SessionId } from './ids.ts'

export const WorkOrigin = z.strictObject({
  agent: z.string(),
  goal: z.string().nullable(),
  session: SessionId,
})
export type WorkOrigin = z.infer<typeof WorkOrigin>

/** Each once, in the order in which they stand. */
export function uniqueOrigins(origins: readonly WorkOrigin[]): WorkOrigin[] {
  const known = new Map(
    origins.map(({ agent, goal, session }) => [
      JSON.stringify([agent, goal, session]),
      { agent, goal, session },
    ]),
  )
  return [...known.values()]
}
