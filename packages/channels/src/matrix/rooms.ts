/** Owns what is known of a room: who is in it, how it is called, and whether it is encrypted. Asked once, and again after a change. */
import { z } from 'zod'
import type { Answer, Homeserver } from './homeserver.ts'

export interface Room {
  readonly id: string
  /** Null where it has none. */
  readonly name: string | null
  readonly encrypted: boolean
  /** By their ids, what they call themselves. Those who are invited read along as soon as they come. */
  readonly members: ReadonlyMap<string, string>
  readonly isPrivate: boolean
}

export interface Rooms {
  /** Rejects where the homeserver does not say. */
  room(id: string): Promise<Room>
  changed(id: string): void
  /** Rooms that were ever seen encrypted. No answer of the homeserver makes them open again. */
  readonly encrypted: ReadonlySet<string>
}

/** Larger rooms are served as well, but only so many are told apart. */
const mostRooms = 500

const Members = z.object({
  chunk: z.array(
    z.object({
      state_key: z.string(),
      content: z.object({
        membership: z.string().optional().catch(undefined),
        displayname: z.string().nullish().catch(null),
      }),
    }),
  ),
})
const Name = z.object({ name: z.string() })

export function createRooms(homeserver: Homeserver, known: readonly string[]): Rooms {
  const rooms = new Map<string, Promise<Room>>()
  const encrypted = new Set(known)

  async function ask(id: string): Promise<Room> {
    const path = ['client', 'v3', 'rooms', id]
    const state = (type: string) => homeserver.ask('GET', [...path, 'state', type])
    const [membersAnswer, nameAnswer, encryptionAnswer] = await Promise.all([
      homeserver.ask('GET', [...path, 'members']),
      state('m.room.name'),
      state('m.room.encryption'),
    ])
    const { chunk } = Members.parse(sureOf(membersAnswer))
    const members = new Map(
      chunk.flatMap(({ state_key, content }) =>
        content.membership === 'join' || content.membership === 'invite'
          ? [[state_key, content.displayname ?? state_key] as const]
          : [],
      ),
    )
    const name = Name.safeParse(sureOf(nameAnswer, 404))
    if (sureOf(encryptionAnswer, 404) !== undefined) encrypted.add(id)
    return {
      id,
      name: name.success ? name.data.name : null,
      encrypted: encrypted.has(id),
      members,
      isPrivate: members.size <= 2,
    }
  }

  return {
    encrypted,
    room(id) {
      const there = rooms.get(id)
      if (there) return there
      const asked = ask(id)
      asked.catch(() => rooms.delete(id))
      rooms.set(id, asked)
      const [first] = rooms.keys()
      if (rooms.size > mostRooms && first !== undefined) rooms.delete(first)
      return asked
    },
    changed: (id) => void rooms.delete(id),
  }
}

/** A room about which the homeserver does not tell us. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

function sureOf(answer: Answer, absent?: number): unknown {
  if (answer.kind === 'done') return answer.body
  if (answer.kind === 'refused' && answer.status === absent) return undefined
  if (answer.kind === 'refused' && [400, 403, 404].includes(answer.status))
    throw new NoRoomError(answer.problem)
  throw new Error(answer.problem)
}
