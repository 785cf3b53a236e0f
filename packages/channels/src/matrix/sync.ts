/**
 * Owns how what happens is heard. The homeserver gives up what it told of keys when it is asked for what came after, so
 * everything is kept before that. What was not taken by then is kept as well, and holds up nobody else.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { InboundEvent } from '../frame/events.ts'
import { inboundOf, RoomEvent } from './content.ts'
import { doneOr } from './homeserver.ts'
import { acceptInvites } from './invites.ts'
import { NoRoomError } from './rooms.ts'
import type { Session } from './session.ts'

const Events = z.object({ events: z.array(z.unknown()).default([]) }).default({ events: [] })
const Sync = z.object({
  next_batch: z.string(),
  to_device: Events,
  device_lists: z
    .object({ changed: z.array(z.string()).default([]), left: z.array(z.string()).default([]) })
    .default({ changed: [], left: [] }),
  device_one_time_keys_count: z.record(z.string(), z.number()).default({}),
  device_unused_fallback_key_types: z.array(z.string()).nullish().default(null),
  rooms: z
    .object({
      join: z
        .record(
          z.string(),
          z.object({
            state: Events,
            timeline: z
              .object({
                events: z.array(z.unknown()).default([]),
                limited: z.boolean().default(false),
                prev_batch: z.string().optional(),
              })
              .default({ events: [], limited: false }),
          }),
        )
        .default({}),
      invite: z.record(z.string(), z.object({ invite_state: Events })).default({}),
    })
    .default({ join: {}, invite: {} }),
})
type Sync = z.infer<typeof Sync>

const nothing = { not_types: ['*'] }
const filter = JSON.stringify({
  presence: nothing,
  account_data: nothing,
  room: {
    ephemeral: nothing,
    account_data: nothing,
    state: { lazy_load_members: true },
    timeline: { limit: 50 },
  },
})
const longPollMs = 30_000
/** Most is taken within it; then it need not be kept as waiting. */
const courtesyMs = 300
const mostWaiting = 200
const mostLocked = 100
const lockedMs = 24 * 60 * 60_000
const mostPages = 20

/** Asks once, hands over what came, and keeps it. Rejects where the homeserver cannot be reached. */
export async function syncOnce(
  session: Session,
  rooms: readonly string[],
  signal: AbortSignal,
  first: boolean,
): Promise<void> {
  const { encryption, homeserver, locked, since } = session
  while (session.waiting.size > mostWaiting) await sleep(courtesyMs, undefined, { signal })
  const answer = await homeserver.ask('GET', ['client', 'v3', 'sync'], {
    query: { filter, timeout: String(first ? 0 : longPollMs), ...(since === null ? {} : { since }) },
    patienceMs: longPollMs * 2,
  })
  const sync = Sync.parse(doneOr(answer))
  const { changed, left } = sync.device_lists
  if (encryption) {
    await encryption.receive({
      toDevice: sync.to_device.events,
      changed,
      left,
      counts: sync.device_one_time_keys_count,
      fallbacks: sync.device_unused_fallback_key_types ?? null,
    })
    if (first || sync.to_device.events.length + changed.length + left.length > 0) session.keysChanged()
  }
  await acceptInvites(session, rooms, sync.rooms.invite)
  const events = [...(await unlocked(session, sync)), ...(await heard(session, sync))]
  const given = Promise.all(events.map((event) => session.give(event)))
  given.catch(() => undefined)
  const over = new AbortController()
  await Promise.race([
    given,
    sleep(courtesyMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }),
  ])
  over.abort()

  session.since = sync.next_batch
  if (first || events.length > 0 || session.locked !== locked || !session.areKeysKept) await session.keep()
  if (await encryption?.flush()) session.keysChanged()
  if (first) await signDevice(session)
}

/** Once, where nobody did it before; people's clients warn of a device that its owner has not signed. */
async function signDevice(session: Session): Promise<void> {
  await session.encryption?.sign(async () => {
    session.keysChanged()
    await session.keep()
  })
}

async function heard(session: Session, sync: Sync): Promise<InboundEvent[]> {
  const found: InboundEvent[] = []
  for (const [id, { state, timeline }] of Object.entries(sync.rooms.join)) {
    const isGap = timeline.limited && session.since !== null
    const missed = isGap ? await between(session, id, timeline.prev_batch) : []
    const events = [...missed, ...timeline.events]
    // Of what was left out nobody says who came in it.
    if (isGap || [...state.events, ...events].some(changesRoom)) session.rooms.changed(id)
    // What was said before we came is not for us.
    if (session.since === null) continue
    const names = new Map<string, string>()
    for (const event of events) {
      const named = Named.safeParse(event)
      if (named.success)
        names.set(named.data.state_key, named.data.content.displayname ?? named.data.state_key)
      const inbound = await read(session, id, event, names)
      if (inbound && !session.waiting.has(inbound.id)) found.push(inbound)
    }
  }
  return found
}

type Names = ReadonlyMap<string, string>

const Named = z.object({
  type: z.literal('m.room.member'),
  state_key: z.string(),
  content: z.object({ displayname: z.string().nullish() }),
})

const Typed = z.object({ type: z.string() })

function changesRoom(event: unknown): boolean {
  const read = Typed.safeParse(event)
  return read.success && roomTypes.includes(read.data.type)
}

const roomTypes: readonly string[] = [
  'm.room.member',
  'm.room.name',
  'm.room.encryption',
  'm.room.join_rules',
  'm.room.history_visibility',
]

/** What came between the last time and the part of it that the homeserver tells by itself. */
async function between(session: Session, room: string, from: string | undefined): Promise<unknown[]> {
  const Page = z.object({ chunk: z.array(z.unknown()), end: z.string().optional() })
  const missed: unknown[] = []
  let at = from
  for (let page = 0; at !== undefined && page < mostPages; page += 1) {
    const query = { dir: 'b', from: at, to: session.since ?? '', limit: '100' }
    const answer = await session.homeserver.ask('GET', ['client', 'v3', 'rooms', room, 'messages'], { query })
    if (answer.kind === 'refused' && answer.status < 500) break
    const { chunk, end } = Page.parse(doneOr(answer))
    missed.push(...chunk)
    at = chunk.length === 0 ? undefined : end
  }
  return missed.reverse()
}

/** Undefined where it is nothing for us, or where its key is not there yet. */
async function read(
  session: Session,
  room: string,
  raw: unknown,
  names: Names,
): Promise<InboundEvent | undefined> {
  const parsed = RoomEvent.safeParse(raw)
  if (!parsed.success || parsed.data.sender === session.user) return undefined
  const event = parsed.data
  const inbound = await opened(session, room, event, names)
  if (inbound !== 'locked') return inbound
  session.locked = [...session.locked, { room, event, since: Date.now() }].slice(-mostLocked)
  return undefined
}

async function opened(
  session: Session,
  id: string,
  event: RoomEvent,
  names: Names = new Map(),
): Promise<InboundEvent | 'locked' | undefined> {
  const { encryption, homeserver, ownEvents, rooms, user } = session
  const isSealed = event.type === 'm.room.encrypted'
  const clear = isSealed ? await encryption?.decrypt(id, event) : event
  if (!clear) return encryption ? 'locked' : undefined
  try {
    const room = await rooms.room(id)
    return await inboundOf(
      { ...event, type: clear.type, content: clear.content },
      {
        user,
        room,
        names,
        wasEncrypted: isSealed,
        async senderOf(wanted) {
          if (ownEvents.has(wanted)) return user
          const answer = await homeserver.ask('GET', ['client', 'v3', 'rooms', id, 'event', wanted])
          if (answer.kind === 'refused' && answer.status < 500) return undefined
          const found = RoomEvent.safeParse(doneOr(answer))
          return found.success ? found.data.sender : undefined
        },
      },
    )
  } catch (error) {
    // We are not there any more.
    if (error instanceof NoRoomError) return undefined
    throw error
  }
}

/** What waited for a key that may have come. */
async function unlocked(session: Session, sync: Sync): Promise<InboundEvent[]> {
  if (sync.to_device.events.length === 0 || session.locked.length === 0) return []
  const found: InboundEvent[] = []
  const rest = []
  for (const one of session.locked) {
    const event = RoomEvent.safeParse(one.event)
    const inbound = event.success ? await opened(session, one.room, event.data) : undefined
    if (inbound === 'locked') rest.push(one)
    else if (inbound) found.push(inbound)
  }
  session.locked = rest.filter(({ since }) => Date.now() - since < lockedMs)
  return found
}
