/** Owns what lives as long as the access token: who we are, the keys, the rooms, and what was heard and not taken yet. */
import { z } from 'zod'
import { type ChannelContext, RejectedError } from '../frame/adapter.ts'
import type { InboundEvent } from '../frame/events.ts'
import { createTaking } from '../frame/take-in-turn.ts'
import type { KeyDump } from './crypto-store.ts'
import { type Encryption, openEncryption } from './encryption.ts'
import type { Homeserver } from './homeserver.ts'
import { createSureKeeper } from './keep.ts'
import type { MatrixSettings } from './manifest.ts'
import { createRooms, type Rooms } from './rooms.ts'
import { type LockedEvent, readState } from './state.ts'

export interface Session {
  readonly user: string
  readonly homeserver: Homeserver
  readonly rooms: Rooms
  readonly encryption: Encryption | null
  /** How far the homeserver was heard; null before the first time. */
  since: string | null
  /** Waits for their keys. */
  locked: LockedEvent[]
  /** By their ids, what the gateway has not taken yet. */
  readonly waiting: ReadonlyMap<string, InboundEvent>
  /** Resolves when it is taken; rejects only when the channel ends. */
  give(event: InboundEvent): Promise<void>
  /** The keys are not what was kept last. */
  keysChanged(): void
  readonly areKeysKept: boolean
  /** Resolves when everything that is true now is kept. */
  keep(): Promise<void>
  /** What we sent, so that nobody need be asked. */
  readonly ownEvents: Set<string>
}

const Whoami = z.object({ user_id: z.string(), device_id: z.string().nullish() })

/** Throws `RejectedError` where the token is wrong, and another error where the homeserver does not answer. */
export async function openSession(
  context: ChannelContext<MatrixSettings>,
  homeserver: Homeserver,
): Promise<Session> {
  const { user, device } = await whoAmI(homeserver, context.settings.encryption)
  const state = readState(context.state, device)
  const accessToken = context.secrets['accessToken'] ?? ''
  const encryption = context.settings.encryption
    ? await openEncryption({ homeserver, user, device: device, accessToken, dump: state.keys })
    : null
  const rooms = createRooms(homeserver, state.encrypted)
  const waiting = new Map<string, InboundEvent>()
  const taking = createTaking(context)
  let keys: KeyDump | null = null
  /** Of the keys, of their dump, and of what was kept. */
  let [version, dumped, kept] = [1, 0, 0]

  const session: Session = {
    user,
    homeserver,
    rooms,
    encryption,
    since: state.since,
    locked: state.locked,
    waiting,
    ownEvents: new Set(),
    async give(event) {
      waiting.set(event.id, event)
      await taking.give({ chat: event.chat.id, id: event.id }, async () => event)
      waiting.delete(event.id)
    },
    get areKeysKept() {
      return encryption === null || kept === version
    },
    keysChanged() {
      version += 1
    },
    async keep() {
      const at = version
      await keepAll()
      kept = Math.max(kept, at)
    },
  }
  const keepAll = createSureKeeper(context, async () => {
    const { since, locked } = session
    if (encryption && dumped !== version) {
      const at = version
      keys = await encryption.dump()
      dumped = at
    }
    const rest = { waiting: [...waiting.values()], encrypted: [...rooms.encrypted] }
    return JSON.stringify({ device, since, locked, keys, ...rest })
  })
  for (const event of state.waiting) session.give(event).catch(() => undefined)
  return session
}

async function whoAmI(
  homeserver: Homeserver,
  needsDevice: boolean,
): Promise<{ readonly user: string; readonly device: string }> {
  const answer = await homeserver.ask('GET', ['client', 'v3', 'account', 'whoami'])
  if (answer.kind === 'refused' && [401, 403, 404].includes(answer.status))
    throw new RejectedError(answer.problem)
  if (answer.kind !== 'done') throw new Error(answer.problem)
  const read = Whoami.safeParse(answer.body)
  if (!read.success) throw new RejectedError('This is no homeserver.')
  const { device_id: device, user_id: user } = read.data
  if (needsDevice && device == null)
    throw new RejectedError('This token belongs to no device. Log in as a user, or switch encryption off.')
  return { user, device: device ?? '' }
}
