/** Owns how one message is sent: the file first, then encrypted where the room is, and kept before it goes. */
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import { uploadFile } from './files.ts'
import { RoomId } from './manifest.ts'
import {
  type Content,
  changeOf,
  contentOf,
  inThread,
  sendResultOf,
  transactionOf,
  unsentResultOf,
} from './outbound.ts'
import { NoRoomError, type Room } from './rooms.ts'
import type { Session } from './session.ts'

const mostOwnEvents = 1_000

/** `changes`: the event in whose place it goes. */
export async function sendMessage(
  session: Session | undefined,
  message: OutboundMessage,
  changes?: string,
): Promise<SendResult> {
  if (!session) return { kind: 'later', afterMs: null, problem: 'The homeserver is not connected.' }
  const { chat, file, key, thread } = message
  if (!RoomId.safeParse(chat).success) return { kind: 'refused', problem: 'Matrix has no such room.' }
  if (changes !== undefined && !/^\$\S{1,254}$/.test(changes))
    return { kind: 'refused', problem: 'Matrix has no such message.' }
  let prepared: Prepared
  try {
    const room = message.alone ? await session.rooms.roomNow(chat) : await session.rooms.room(chat)
    if (message.alone && !room.isPrivate)
      return { kind: 'refused', problem: 'Others can read in this room now, and this is for one person.' }
    const uploaded = file ? await uploadFile(session.homeserver, file, room.encrypted) : undefined
    if (uploaded && 'kind' in uploaded) return unsentResultOf(uploaded)
    const content = contentOf(message, uploaded?.content)
    const whole = changes === undefined ? inThread(content, thread) : changeOf(changes, content)
    prepared = await prepare(session, room, whole)
  } catch (error) {
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, 1_000)
    // Nothing was sent to the room yet.
    return error instanceof NoRoomError
      ? { kind: 'refused', problem }
      : { kind: 'later', afterMs: null, problem }
  }
  const transaction = transactionOf(changes === undefined ? 'send' : 'edit', key)
  const path = ['client', 'v3', 'rooms', chat, 'send', prepared.type, transaction]
  const result = sendResultOf(await session.homeserver.ask('PUT', path, { body: prepared.content }))
  if (result.kind !== 'sent') return result
  remember(session.ownEvents, result.message)
  // A further change names the first event.
  return changes === undefined ? result : { kind: 'sent', message: changes }
}

interface Prepared {
  readonly type: string
  readonly content: unknown
}

async function prepare(session: Session, room: Room, content: Content): Promise<Prepared> {
  if (!room.encrypted) return { type: 'm.room.message', content }
  if (!session.encryption) throw new NoRoomError('The room is encrypted, and encryption is switched off.')
  const keep = async () => {
    session.keysChanged()
    await session.keep()
  }
  const encrypted = await session.encryption.encrypt(room.id, [...room.members.keys()], content, keep)
  await keep()
  return { type: 'm.room.encrypted', content: encrypted }
}

function remember(events: Set<string>, id: string): void {
  events.add(id)
  const [first] = events
  if (events.size > mostOwnEvents && first !== undefined) events.delete(first)
}
