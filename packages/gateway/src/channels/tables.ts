/** The rows of the tables of channels. */
import type { Button, InboundEvent } from '@countersign/channels'
import type {
  DeliveryState,
  DeliveryView,
  PeerLimits,
  PeerRole,
  PeerState,
  SessionId,
} from '@countersign/contract'
import type { KernelTables, LimitedDb } from '@countersign/kernel'
import type { ColumnType, Generated, Kysely } from 'kysely'

/** A file of the workspace, as it was when it was allowed to go. */
export interface LetterFile {
  readonly path: string
  readonly sha256: string
}

export interface ChannelTables {
  channel_inbox: {
    operator_id: string
    channel: string
    id: string
    position: ColumnType<number, never, never>
    chat: string
    peer: string
    event: ColumnType<InboundEvent, string, string>
    state: 'waiting' | 'admitted' | 'answered' | 'left' | 'aside'
    why: string | null
    attempts: Generated<number>
    next_at: Date | null
    at: Date
  }
  channel_outbox: {
    operator_id: string
    id: string
    position: ColumnType<number, never, never>
    channel: string
    chat: string
    thread: string | null
    key: string
    kind: DeliveryView['kind']
    text: string
    format: 'markdown' | 'plain'
    buttons: ColumnType<readonly Button[], string, string>
    about: string | null
    digest: string | null
    changes: string | null
    file: ColumnType<LetterFile | null, string | null, never>
    state: Exclude<DeliveryState, 'aside'>
    attempts: Generated<number>
    next_at: Date
    expires_at: Date
    message: string | null
    problem: string | null
    at: Date
    sent_at: Date | null
  }
  channel_chats: {
    operator_id: string
    channel: string
    chat: string
    kind: 'private' | 'group'
    title: string
    peer: string | null
    thread: string
    session_id: SessionId
  }
  channel_peers: {
    operator_id: string
    channel: string
    peer: string
    name: string
    chat: string
    state: PeerState
    role: PeerRole | null
    limits: ColumnType<PeerLimits, string, string>
    code: string | null
    asked_at: Date | null
    paired_at: Date | null
    paired_by: string | null
  }
  channel_states: { operator_id: string; channel: string; state: string }
}

export type ChannelDb = Kysely<KernelTables & ChannelTables>

/** The same connection, with the tables of channels. */
export function channelDb(db: LimitedDb): ChannelDb {
  return db as unknown as ChannelDb
}
