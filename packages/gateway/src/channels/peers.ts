/**
 * Owns the people who write in channels. A stranger is shown a code, once; the operator lets them in with it, on a device.
 * There is nothing to guess in a chat: a code is worth something only in the hands of the operator.
 */
import { randomInt } from 'node:crypto'
import type { InboundMessage } from '@countersign/channels'
import {
  type AdmitPeer,
  type ChangePeer,
  CountersignError,
  type DeviceReach,
  forDisplay,
  type OperatorId,
  PeerLimits,
  type PeerRole,
  type PeerView,
  type Requester,
  usualPeerLimits,
} from '@countersign/contract'
import type { Actor, RecordTransaction } from '@countersign/kernel'
import { sql } from 'kysely'
import { channelDb } from './tables.ts'

export interface Peer {
  readonly channel: string
  readonly peer: string
  readonly name: string
  readonly chat: string
  readonly role: PeerRole
  readonly limits: PeerLimits
}

const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const codeLength = 8
export const codeMs = 60 * 60_000
/** In a channel at once, and in one chat of it. */
const mostAsking = 20
const mostInChat = 3
/** Whoever was just shown a code has time to tell it. After that they give way to others, the first of them first. */
const undisturbedMs = 15 * 60_000
/** One who was told once is told nothing more for so long. */
const silenceMs = 24 * 60 * 60_000
const longestName = 80

export const peerId = (channel: string, peer: string): string => `${channel}/${peer}`

/** For whom something is done that they asked for in a chat. */
export const requesterOf = (
  { role, channel, peer }: Pick<Peer, 'role' | 'channel' | 'peer'>,
  chat: string,
): Requester => ({
  kind: role === 'operator' ? 'operator' : 'peer',
  id: peerId(channel, peer),
  via: { channel, chat },
})

/**
 * Whether nobody but the operator reads there: it is the chat in which they were shown their code. Of any other that
 * calls itself private, whoever made it may have let others in.
 */
export const isOwnChat = (
  { role, chat }: Pick<Peer, 'role' | 'chat'>,
  at: Pick<InboundMessage['chat'], 'id' | 'kind'>,
): boolean => role === 'operator' && at.kind === 'private' && at.id === chat

export async function pairedPeer(
  tx: Pick<RecordTransaction, 'db'>,
  channel: string,
  peer: string,
  /** Whether whoever changes them waits for the end of this transaction. */
  held = false,
): Promise<Peer | 'blocked' | undefined> {
  const row = await channelDb(tx.db)
    .selectFrom('channel_peers')
    .select(['channel', 'peer', 'name', 'chat', 'role', 'limits', 'state'])
    .where('channel', '=', channel)
    .where('peer', '=', peer)
    .$if(held, (query) => query.forShare())
    .executeTakeFirst()
  if (row?.state === 'blocked') return 'blocked'
  if (row?.state !== 'paired' || row.role === null) return undefined
  return { ...row, role: row.role, limits: PeerLimits.parse(row.limits) }
}

/** The accounts of the operator, each with its private chat. */
export function operatorsOwn(tx: Pick<RecordTransaction, 'db'>, channel?: string) {
  return channelDb(tx.db)
    .selectFrom('channel_peers')
    .select(['channel', 'peer', 'chat'])
    .where('state', '=', 'paired')
    .where('role', '=', 'operator')
    .$if(channel !== undefined, (query) => query.where('channel', '=', channel ?? ''))
    .orderBy('channel')
    .orderBy('peer')
    .execute()
}

/** The code that a stranger is shown; undefined where they are told nothing. */
export async function askToPair(
  tx: RecordTransaction,
  channel: string,
  { sender, chat }: InboundMessage,
): Promise<string | undefined> {
  const db = channelDb(tx.db)
  // One at a time for a channel, so that no more than the most ask at once.
  await sql`select pg_advisory_xact_lock(hashtext(${`pairing/${tx.operator}/${channel}`}))`.execute(tx.db)
  const known = await db
    .selectFrom('channel_peers')
    .select(['state', 'asked_at'])
    .where('channel', '=', channel)
    .where('peer', '=', sender.id)
    .executeTakeFirst()
  if (known && known.state !== 'asking') return undefined
  if (known?.asked_at && tx.now.getTime() - known.asked_at.getTime() < silenceMs) return undefined
  // Whoever asked and was not let in is forgotten, so that strangers do not fill the list.
  await db
    .deleteFrom('channel_peers')
    .where('channel', '=', channel)
    .where('state', '=', 'asking')
    .where('asked_at', '<=', new Date(tx.now.getTime() - silenceMs))
    .execute()
  if (!(await makesRoom(tx, channel, chat.id))) return undefined
  const code = Array.from({ length: codeLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  const asks = { name: shownName(sender.name), chat: chat.id, code, asked_at: tx.now }
  await db
    .insertInto('channel_peers')
    .values({
      operator_id: tx.operator,
      channel,
      peer: sender.id,
      ...asks,
      state: 'asking',
      role: null,
      limits: JSON.stringify(usualPeerLimits),
      paired_at: null,
      paired_by: null,
    })
    .onConflict((conflict) => conflict.columns(['operator_id', 'channel', 'peer']).doUpdateSet(asks))
    .execute()
  tx.record({
    type: 'peer.asked',
    actor: { kind: 'gateway', id: 'channels' },
    data: { channel, peer: sender.id, name: asks.name },
  })
  tx.emit({ type: 'channels.changed' })
  return code
}

/**
 * Whether somebody else may ask now. A flood out of one chat gives way to itself alone; one out of many chats to whoever
 * comes after it, and never at once, so that a code which was just shown can still be told.
 */
async function makesRoom({ db, now }: RecordTransaction, channel: string, chat: string): Promise<boolean> {
  const asking = await channelDb(db)
    .selectFrom('channel_peers')
    .select(['peer', 'chat', 'asked_at'])
    .where('channel', '=', channel)
    .where('state', '=', 'asking')
    .where('code', 'is not', null)
    .where('asked_at', '>', new Date(now.getTime() - codeMs))
    .orderBy('asked_at')
    .orderBy('peer')
    .execute()
  const inChat = asking.filter((each) => each.chat === chat)
  const isFull = asking.length >= mostAsking
  if (!isFull && inChat.length < mostInChat) return true
  const rivals = inChat.length >= mostInChat ? inChat : asking
  const [first] = rivals.filter(({ asked_at }) => now.getTime() - (asked_at?.getTime() ?? 0) >= undisturbedMs)
  if (!first) return false
  // The row stays: whoever was told once is told nothing more today.
  await channelDb(db)
    .updateTable('channel_peers')
    .set({ code: null })
    .where('channel', '=', channel)
    .where('peer', '=', first.peer)
    .where('state', '=', 'asking')
    .execute()
  return true
}

/** Lets in whoever was shown the code. As the operator only where the platform shows who writes, and by a device that seals. */
export async function admitPeer(
  tx: RecordTransaction,
  { code, role, limits }: AdmitPeer,
  by: { readonly actor: Actor; readonly reach: DeviceReach },
  provesSender: (channel: string) => boolean,
): Promise<PeerView> {
  const db = channelDb(tx.db)
  // Before the code: whoever may not let anybody in is not told either which codes there are.
  if (by.reach < (role === 'operator' ? 3 : 2))
    throw new CountersignError('not_authenticated', 'This device may not let anybody in.', {
      next: 'Use a device that may approve what leaves your hands.',
    })
  const asking = await db
    .selectFrom('channel_peers')
    .selectAll()
    .where('code', '=', code)
    .where('state', '=', 'asking')
    .where('asked_at', '>', new Date(tx.now.getTime() - codeMs))
    .forUpdate()
    .executeTakeFirst()
  if (!asking)
    throw new CountersignError('not_found', 'Nobody who asks now was shown this code.', {
      next: 'A code holds for an hour: have them write again, or look at `countersign peer list`.',
    })
  if (role !== 'guest' && !provesSender(asking.channel))
    throw new CountersignError(
      'usage',
      'This platform does not show who writes, so nobody there can be you, or be trusted.',
      {
        next: 'Let them in as a guest.',
      },
    )
  const held = PeerLimits.parse({ ...usualPeerLimits, ...limits })
  const changed = {
    state: 'paired' as const,
    role,
    limits: JSON.stringify(held),
    code: null,
    paired_at: tx.now,
    paired_by: by.actor.id,
  }
  const { channel, peer } = asking
  await db
    .updateTable('channel_peers')
    .set(changed)
    .where('channel', '=', channel)
    .where('peer', '=', peer)
    .execute()
  await forgetChats(tx, channel, peer)
  tx.record({
    type: 'peer.admitted',
    actor: by.actor,
    data: { channel, peer, name: asking.name, role, limits: held },
  })
  tx.emit({ type: 'channels.changed' })
  const [view] = await peersIn(tx, { channel, peer })
  if (!view) throw new CountersignError('internal', 'Whoever was let in is gone.')
  return view
}

export async function changePeer(
  tx: RecordTransaction,
  { channel, peer, change }: ChangePeer,
  actor: Actor,
): Promise<void> {
  const db = channelDb(tx.db)
  const known = await db
    .selectFrom('channel_peers')
    .select(['limits', 'role', 'chat'])
    .where('channel', '=', channel)
    .where('peer', '=', peer)
    .forUpdate()
    .executeTakeFirst()
  if (!known)
    throw new CountersignError('not_found', `There is nobody ${peer} in ${channel}.`, {
      next: 'See them with `countersign peer list`.',
    })
  const them = <T extends { where: (column: 'channel' | 'peer', is: '=', value: string) => T }>(
    query: T,
  ): T => query.where('channel', '=', channel).where('peer', '=', peer)
  switch (change.kind) {
    case 'limit':
      await them(
        db
          .updateTable('channel_peers')
          .set({ limits: JSON.stringify(PeerLimits.parse({ ...known.limits, ...change.limits })) }),
      ).execute()
      break
    case 'block':
      await them(db.updateTable('channel_peers').set({ state: 'blocked', role: null, code: null })).execute()
      break
    case 'remove':
      await them(db.deleteFrom('channel_peers')).execute()
  }
  if (change.kind !== 'limit') {
    await silence(tx, channel, known.chat)
    await forgetChats(tx, channel, peer)
  }
  tx.record({ type: `peer.${pastOf[change.kind]}`, actor, data: { channel, peer, role: known.role } })
  tx.emit({ type: 'channels.changed' })
}

/** Whoever is let in begins anew, and is not led on into what was said to them in another role. */
async function forgetChats({ db }: RecordTransaction, channel: string, peer: string): Promise<void> {
  await channelDb(db)
    .deleteFrom('channel_chats')
    .where('channel', '=', channel)
    .where('peer', '=', peer)
    .execute()
}

/** What waits for somebody who was put out is not sent any more. */
async function silence({ db }: RecordTransaction, channel: string, chat: string): Promise<void> {
  await channelDb(db)
    .updateTable('channel_outbox')
    .set({ state: 'dropped' })
    .where('channel', '=', channel)
    .where('chat', '=', chat)
    .where('state', 'in', ['waiting', 'sending', 'held'])
    .execute()
}

const pastOf = { limit: 'limited', block: 'blocked', remove: 'removed' } as const

export async function peersIn(
  tx: Pick<RecordTransaction, 'db'> & { readonly operator: OperatorId },
  only?: { readonly channel: string; readonly peer: string },
): Promise<PeerView[]> {
  const rows = await channelDb(tx.db)
    .selectFrom('channel_peers')
    .selectAll('channel_peers')
    .select(({ selectFrom }) =>
      selectFrom('channel_inbox')
        .select(({ fn }) => fn.max('channel_inbox.at').as('at'))
        .whereRef('channel_inbox.channel', '=', 'channel_peers.channel')
        .whereRef('channel_inbox.peer', '=', 'channel_peers.peer')
        .as('last_in'),
    )
    .$if(only !== undefined, (query) =>
      query
        .where('channel_peers.channel', '=', only?.channel ?? '')
        .where('channel_peers.peer', '=', only?.peer ?? ''),
    )
    // Strangers hide nobody who was let in.
    .orderBy(sql`channel_peers.state = 'asking'`)
    .orderBy('channel_peers.channel')
    .orderBy('channel_peers.name')
    .limit(1_000)
    .execute()
  return rows.map((row) => ({
    channel: row.channel,
    peer: row.peer,
    name: row.name,
    state: row.state,
    role: row.role,
    limits: PeerLimits.parse(row.limits),
    askedAt: row.asked_at?.toISOString() ?? null,
    pairedAt: row.paired_at?.toISOString() ?? null,
    lastInAt: row.last_in?.toISOString() ?? null,
  }))
}

/** What they call themselves, for people to read. */
export function shownName(name: string): string {
  return forDisplay(name.slice(0, 2 * longestName))
    .text.slice(0, longestName)
    .toWellFormed()
}
