/** Owns to which chat a run answers, and who reads there. Nobody who was put out, and no group that is off the list. */
import type { ChannelManifest } from '@countersign/channels'
import { type ChannelChoices, Requester, type RunId } from '@countersign/contract'
import type { RecordTransaction } from '@countersign/kernel'
import { isOwnChat, pairedPeer, peerId } from './peers.ts'
import { channelDb } from './tables.ts'

export interface OpenChannel {
  readonly name: string
  readonly manifest: ChannelManifest
  readonly choices: ChannelChoices
  /** Of the account that it is on the platform; ids of messages are told apart by it. */
  readonly epoch?: string
  /** Where notices go though nobody is the operator there. */
  readonly noticeChat?: string
  /** Every run that ends is told there. */
  readonly tellsEnds?: boolean
}

export interface ChatOfRun {
  readonly channel: OpenChannel
  readonly chat: string
  readonly thread: string | null
  /** It is the operator's own chat, where nobody else reads. */
  readonly own: boolean
  /** What the run knows may be told to anybody. */
  readonly isPublic: boolean
}

/** Where the words came from that a run answers; undefined where they came from no chat. */
export async function chatOf(
  { channel: channelOf }: { readonly channel: (name: string) => OpenChannel | undefined },
  tx: Pick<RecordTransaction, 'db'>,
  run: RunId,
): Promise<ChatOfRun | undefined> {
  const db = channelDb(tx.db)
  const row = await db
    .selectFrom('runs')
    .innerJoin('inputs', 'inputs.id', 'runs.input_id')
    .select(['inputs.requester', 'runs.label', 'runs.kind', 'runs.session_id'])
    .where('runs.id', '=', run)
    .executeTakeFirst()
  const requester = Requester.safeParse(row?.requester)
  const via = requester.success ? requester.data.via : undefined
  if (!row || !requester.success || !via || row.kind !== 'agent') return undefined
  const channel = channelOf(via.channel)
  const chat = await db
    .selectFrom('channel_chats')
    .select(['kind', 'peer', 'thread'])
    .where('channel', '=', via.channel)
    .where('chat', '=', via.chat)
    .where('session_id', '=', row.session_id)
    .executeTakeFirst()
  if (!channel || !chat) return undefined
  // Whoever was put out hears nothing more, and no group that is off the list does.
  const asked = chat.peer ?? requester.data.id.slice(peerId(via.channel, '').length)
  const peer = await pairedPeer(tx, via.channel, asked)
  if (peer === undefined || peer === 'blocked') return undefined
  if (chat.kind === 'group' && !channel.choices.groups.includes(via.chat)) return undefined
  const own = isOwnChat(peer, { id: via.chat, kind: chat.kind })
  return {
    channel,
    chat: via.chat,
    thread: chat.thread === '' ? null : chat.thread,
    own,
    isPublic: row.label.confidentiality === 'public',
  }
}
