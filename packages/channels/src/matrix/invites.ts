/**
 * Owns which invitations are accepted: to direct chats, so that whoever asks is answered, and to rooms on the list. To
 * come into any other room is the operator's choice, not that of whoever invites.
 */
import { z } from 'zod'
import type { Session } from './session.ts'

const Membership = z.object({
  type: z.literal('m.room.member'),
  state_key: z.string(),
  content: z.object({ membership: z.string(), is_direct: z.boolean().optional().catch(undefined) }),
})

/** A flood of invitations is not worth a flood of answers. */
const mostAtOnce = 20

export async function acceptInvites(
  { homeserver, rooms, user }: Session,
  listed: readonly string[],
  invites: Readonly<Record<string, { readonly invite_state: { readonly events: readonly unknown[] } }>>,
): Promise<void> {
  let count = 0
  for (const [room, { invite_state: state }] of Object.entries(invites)) {
    const isDirect = state.events.some((event) => {
      const read = Membership.safeParse(event)
      const { state_key, content } = read.data ?? {}
      return state_key === user && content?.membership === 'invite' && content.is_direct === true
    })
    if ((!isDirect && !listed.includes(room)) || count >= mostAtOnce) continue
    count += 1
    const answer = await homeserver.ask('POST', ['client', 'v3', 'rooms', room, 'join'], { body: {} })
    // What is refused now is refused for good; whoever wants us there invites again.
    if (answer.kind === 'not-sent' || answer.kind === 'lost') throw new Error(answer.problem)
    rooms.changed(room)
  }
}
