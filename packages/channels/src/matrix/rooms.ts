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
  /** We and one other are there, nobody else is invited, and nobody comes in or reads without being. */
  readonly isPrivate: boolean
}

export interface Rooms {
  /** Rejects where the homeserver does not say. */
  room(id: string): Promise<Room>
  /** As it is now, whatever was known. */
  roomNow(id: string): Promise<Room>
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
const JoinRule = z.object({ join_rule: z.string() })
const Visibility = z.object({ history_visibility: z.string() })

/** Where somebody who is there must let others in. */
const closedRules = ['invite', 'private', 'knock']

export function createRooms(homeserver: Homeserver, known: readonly string[]): Rooms {
  const rooms = new Map<string, Promise<Room>>()
  const encrypted = new Set(known)

  async function askAll(id: string): Promise<Room> {
    const path = ['client', 'v3', 'rooms', id]
    const state = (type: string) => homeserver.ask('GET', [...path, 'state', type])
    const [membersAnswer, nameAnswer, encryptionAnswer, ruleAnswer, visibilityAnswer] = await Promise.all([
      homeserver.ask('GET', [...path, 'members']),
      state('m.room.name'),
      state('m.room.encryption'),
      state('m.room.join_rules'),
      state('m.room.history_visibility'),
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
      isPrivate: members.size <= 2 && isClosed(sureOf(ruleAnswer, 404), sureOf(visibilityAnswer, 404)),
    }
  }

  function ask(id: string): Promise<Room> {
    const asked = askAll(id)
    asked.catch(() => {
      if (rooms.get(id) === asked) rooms.delete(id)
    })
    rooms.delete(id)
    rooms.set(id, asked)
    const [first] = rooms.keys()
    if (rooms.size > mostRooms && first !== undefined) rooms.delete(first)
    return asked
  }

  return {
    encrypted,
    room: (id) => rooms.get(id) ?? ask(id),
    roomNow: ask,
    changed: (id) => void rooms.delete(id),
  }
}

/** What a room does not say is as the specification has it: by invitation, and read by those who are there. */
function isClosed(rule: unknown, visibility: unknown): boolean {
  const { join_rule = 'invite' } = rule === undefined ? {} : JoinRule.parse(rule)
  const { history_visibility = 'shared' } = visibility === undefined ? {} : Visibility.parse(visibility)
  return closedRules.includes(join_rule) && history_visibility !== 'world_readable'
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
