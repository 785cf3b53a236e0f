/**
 * Owns what goes out: written in the transaction that caused it, sent after it, in order within a chat. What was under
 * way when a process died is sent again where the platform takes a key, and is called unknown elsewhere. What is too old
 * is not sent any more.
 */
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import {
  type Button,
  type ChannelManifest,
  type OutboundFile,
  type OutboundMessage,
  type SendResult,
  splitText,
} from '@countersign/channels'
import { attachmentOf, CountersignError, type DeliveryView, type OperatorId } from '@countersign/contract'
import type { Actor, RecordTransaction, RecordTransactions } from '@countersign/kernel'
import { sql } from 'kysely'
import { withinTime } from '../within-time.ts'
import { createChatTurns } from './chat-turns.ts'
import { channelDb, type LetterFile } from './tables.ts'

export interface Letter {
  readonly key: string
  readonly channel: string
  readonly chat: string
  readonly thread?: string | null
  readonly kind: DeliveryView['kind']
  readonly text: string
  readonly format: 'markdown' | 'plain'
  readonly buttons?: readonly Button[]
  readonly about?: string
  readonly digest?: string
  /** Goes in the place of what this delivery sent. */
  readonly changes?: string
  readonly file?: LetterFile
  /** The operator is asked before it goes. */
  readonly held?: boolean
  readonly lastsMs: number
}

/** How messages leave one channel. */
export interface Sending {
  readonly manifest: ChannelManifest
  send(message: OutboundMessage): Promise<SendResult>
  edit(message: string, change: OutboundMessage): Promise<SendResult>
}

export interface OutboxParts {
  readonly operator: OperatorId
  readonly records: Pick<RecordTransactions, 'change' | 'single'>
  readonly uuid: () => string
  readonly clock: () => Date
  readonly manifestOf: (channel: string) => ChannelManifest | undefined
  /** All of a file of the workspace; nothing where it is not there, or is longer than that. */
  readonly fileOf: (path: string, most: number) => Promise<Uint8Array | undefined>
  /** Told after the commit that something waits there. */
  readonly woken: (channel: string) => void
}

export interface ChannelOutbox {
  /** Once for each key. */
  post(tx: RecordTransaction, letter: Letter): Promise<void>
  /** Sends what is due in one channel, each chat by itself; says when to look again, or null. */
  deliver(channel: string, sending: Sending, later?: (at: Date) => void): Promise<Date | null>
  /** Resolves when it is known what became of that which is on its way to a chat now; before long, in any case. */
  arrived(channel: string, chat: string): Promise<void>
  /** Lets an answer go that was held, or drops it; gives the channel that it is for. */
  settle(tx: RecordTransaction, id: string, send: boolean): Promise<string>
  /** What was under way when a process died. */
  recover(channel: string, manifest: ChannelManifest): Promise<void>
}

const mostAtOnce = 50
const longestPauseMs = 15 * 60_000
const settledLasts = 60 * 60_000
const longestWayMs = 10_000
const itself: Actor = { kind: 'gateway', id: 'channels' }

interface DueRow {
  readonly id: string
  readonly key: string
  readonly chat: string
  readonly thread: string | null
  readonly text: string
  readonly format: 'markdown' | 'plain'
  readonly buttons: readonly Button[]
  readonly changes: string | null
  readonly file: LetterFile | null
  /** It goes to the chat in which somebody was shown their code. */
  readonly alone: boolean
  readonly attempts: number
  readonly next_at: Date
  readonly expires_at: Date
}

/** Once for each key. Gives the id of its first delivery; null where there is nothing to send. */
export async function postLetter(
  tx: RecordTransaction,
  letter: Letter,
  manifest: ChannelManifest,
  uuid: () => string,
): Promise<string | null> {
  const pieces = splitText(letter.text, manifest.text)
  const rows = pieces.map((text, index) => ({
    operator_id: tx.operator,
    id: `dl_${uuid().replaceAll('-', '')}`,
    channel: letter.channel,
    chat: letter.chat,
    thread: letter.thread ?? null,
    key: index === 0 ? letter.key : `${letter.key}#${index}`,
    kind: letter.kind,
    text,
    format: letter.format,
    // Buttons stand below the end of what they decide.
    buttons: JSON.stringify(
      index === pieces.length - 1 && manifest.can.buttons ? (letter.buttons ?? []) : [],
    ),
    about: letter.about ?? null,
    digest: pieces.length === 1 ? (letter.digest ?? null) : null,
    changes: index === 0 ? (letter.changes ?? null) : null,
    file: index === 0 && letter.file ? JSON.stringify(letter.file) : null,
    state: letter.held ? ('held' as const) : ('waiting' as const),
    next_at: tx.now,
    expires_at: new Date(tx.now.getTime() + letter.lastsMs),
    message: null,
    problem: null,
    at: tx.now,
    sent_at: null,
  }))
  const [first] = rows
  if (!first) return null
  await channelDb(tx.db)
    .insertInto('channel_outbox')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['operator_id', 'key']).doNothing())
    .execute()
  return first.id
}

export function createChannelOutbox(parts: OutboxParts): ChannelOutbox {
  const { operator, records, clock } = parts
  const turns = createChatTurns<DueRow>()
  /** One at the most for each chat. */
  const onTheWay = new Map<string, Promise<void>>()
  const chatKey = (channel: string, chat: string) => JSON.stringify([channel, chat])

  async function post(tx: RecordTransaction, letter: Letter): Promise<void> {
    const manifest = parts.manifestOf(letter.channel)
    if (!manifest) return
    if ((await postLetter(tx, letter, manifest, parts.uuid)) === null) return
    tx.afterCommit(() => parts.woken(letter.channel))
  }

  /** The first of each chat that is not at its end; the others wait for it. */
  function heads(channel: string): Promise<(DueRow & { state: string })[]> {
    return records.single(operator, async ({ db }) => {
      const { rows } = await sql<DueRow & { state: string }>`
        select distinct on (chat) id, key, chat, thread, text, format, buttons, attempts, next_at, expires_at, state, file,
          (select before.message from channel_outbox before where before.operator_id = channel_outbox.operator_id
            and before.id = channel_outbox.changes) as changes,
          exists (select 1 from channel_peers whose where whose.operator_id = channel_outbox.operator_id
            and whose.channel = channel_outbox.channel and whose.chat = channel_outbox.chat) as alone
        from channel_outbox
        where operator_id = ${operator} and channel = ${channel} and state in ('waiting', 'sending')
        order by chat, position`.execute(db)
      return rows
    })
  }

  function deliver(channel: string, sending: Sending, later?: (at: Date) => void): Promise<Date | null> {
    return turns.work(channel, {
      later,
      async look(busy) {
        const now = clock()
        const free = async () => (await heads(channel)).filter(({ chat }) => !busy.has(chat))
        let rows = await free()
        // Nobody else sends there: what is under way in a chat that is not at work was left by a look that failed.
        const left = rows.filter(({ state }) => state === 'sending')
        if (left.length > 0) {
          for (const row of left) await takeUp(row, sending.manifest)
          rows = await free()
        }
        const waiting = rows.filter(({ state }) => state === 'waiting')
        const isDue = (row: DueRow) => row.next_at <= now || row.expires_at <= now
        const times = waiting.filter((row) => !isDue(row)).map(({ next_at }) => next_at.getTime())
        return {
          work: waiting.filter(isDue).slice(0, Math.max(mostAtOnce - busy.size, 0)),
          next: times.length === 0 ? null : new Date(Math.min(...times)),
        }
      },
      settle(row) {
        const key = chatKey(channel, row.chat)
        const settled = deliverOne(row, sending).finally(() => onTheWay.delete(key))
        onTheWay.set(key, settled)
        return settled
      },
    })
  }

  async function recover(channel: string, manifest: ChannelManifest): Promise<void> {
    const left = (await heads(channel)).filter(({ state }) => state === 'sending')
    for (const row of left) await takeUp(row, manifest)
  }

  /** What was under way when whoever sent it died. */
  async function takeUp(row: DueRow, manifest: ChannelManifest): Promise<void> {
    if (manifest.sendsOnce || row.changes !== null) return postpone(row, clock(), 'It was interrupted.')
    return end(row, 'unknown', 'It was interrupted while it was being sent.')
  }

  async function deliverOne(row: DueRow, sending: Sending): Promise<void> {
    if (row.expires_at <= clock()) return end(row, 'expired', 'It was not sent in time.')
    if (!(await claim(row))) return
    const file = row.file && (await fileFor(row.file, sending.manifest))
    if (typeof file === 'string') return end(row, 'refused', file)
    const message: OutboundMessage = {
      // The same for every try, and never longer than a platform takes.
      key: row.id,
      chat: row.chat,
      thread: row.thread,
      text: row.text,
      format: row.format,
      buttons: [...row.buttons],
      file,
      ...aboutOf(row.key),
      ...(row.alone ? { alone: true } : {}),
    }
    const isChange = row.changes !== null && sending.manifest.can.edit
    const result = isChange ? await sending.edit(row.changes ?? '', message) : await sending.send(message)
    switch (result.kind) {
      case 'sent':
        return records.single(operator, async ({ db, now: at }) => {
          await channelDb(db)
            .updateTable('channel_outbox')
            .set({ state: 'sent', message: result.message, problem: null, sent_at: at })
            .where('id', '=', row.id)
            .execute()
        })
      case 'later':
        return postpone(row, after(result.afterMs ?? pauseAfter(row)), result.problem)
      case 'refused':
        return end(row, 'refused', result.problem)
      case 'unknown':
        // Sent again under the same key it arrives once; elsewhere it might arrive twice. A change twice is one change.
        return sending.manifest.sendsOnce || isChange
          ? postpone(row, after(pauseAfter(row)), result.problem)
          : end(row, 'unknown', result.problem)
    }
  }

  /** The file to send, or why it cannot be sent. */
  async function fileFor(
    { path, sha256 }: LetterFile,
    { files, title }: ChannelManifest,
  ): Promise<OutboundFile | string> {
    if (!files) return `${title} takes no files.`
    const bytes = await parts.fileOf(path, files.most)
    if (!bytes) return `${path} is gone, or larger than ${title} takes.`
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      return `${path} has changed since it was allowed to go.`
    const { name, mediaType } = attachmentOf({
      path,
      name: posix.basename(path),
      sha256,
      bytes: bytes.length,
    })
    return { name, mediaType, bytes }
  }

  const after = (ms: number) => new Date(clock().getTime() + ms)

  /** Written before the platform hears of it, so that a crash leaves a trace. */
  async function claim(row: DueRow): Promise<boolean> {
    const claimed = await records.single(operator, ({ db }) =>
      channelDb(db)
        .updateTable('channel_outbox')
        .set({ state: 'sending', attempts: row.attempts + 1 })
        .where('id', '=', row.id)
        .where('state', '=', 'waiting')
        .returning('id')
        .executeTakeFirst(),
    )
    return claimed !== undefined
  }

  async function postpone(row: DueRow, until: Date, problem: string): Promise<void> {
    await records.single(operator, ({ db }) =>
      channelDb(db)
        .updateTable('channel_outbox')
        .set({ state: 'waiting', next_at: until, problem })
        .where('id', '=', row.id)
        // Whoever it was for may have been put out meanwhile.
        .where('state', '=', 'sending')
        .execute(),
    )
  }

  async function end(
    row: Pick<DueRow, 'id'>,
    state: 'expired' | 'refused' | 'unknown',
    problem: string,
  ): Promise<void> {
    await records.change(operator, async (tx) => {
      const ended = await channelDb(tx.db)
        .updateTable('channel_outbox')
        .set({ state, problem })
        .where('id', '=', row.id)
        .returning(['channel', 'kind'])
        .executeTakeFirst()
      if (ended)
        tx.record({
          type: `channel.message_${state}`,
          actor: itself,
          data: {
            delivery: row.id,
            channel: ended.channel,
            kind: ended.kind,
            problem: problem.slice(0, 300),
          },
        })
    })
  }

  return {
    post,
    deliver,
    async arrived(channel, chat) {
      const settled = onTheWay.get(chatKey(channel, chat))
      if (settled) await withinTime(settled, longestWayMs)
    },
    async settle({ db, now }, id, send) {
      const expires_at = new Date(now.getTime() + settledLasts)
      // An answer in several messages is one answer; another answer of the same run is not.
      const settled = await channelDb(db)
        .updateTable('channel_outbox as piece')
        .set({ state: send ? 'waiting' : 'dropped', next_at: now, expires_at })
        .from('channel_outbox as named')
        .where('named.id', '=', id)
        .whereRef('piece.channel', '=', 'named.channel')
        .whereRef('piece.chat', '=', 'named.chat')
        .where(sql<boolean>`split_part(piece.key, '#', 1) = split_part(named.key, '#', 1)`)
        .whereRef('piece.about', '=', 'named.about')
        .where('piece.state', '=', 'held')
        .returning('piece.channel')
        .executeTakeFirst()
      if (settled) return settled.channel
      throw new CountersignError('not_found', `No answer ${id} waits for you.`, {
        next: 'See them with `countersign channel log <name>`.',
      })
    },
    recover,
  }
}

/** A notice says what it is about; an answer is about what was asked. */
function aboutOf(key: string): Pick<OutboundMessage, 'about'> {
  const [kind = ''] = key.split('/', 1)
  const about = noticeKinds[kind]
  return about === undefined ? {} : { about }
}

const noticeKinds: Readonly<Record<string, string>> = {
  waits: 'approval.waiting',
  ends: 'run.ended',
  notice: 'notice',
  reminder: 'reminder',
}

/** The same for every piece of a letter. */
export const answerKey = (key: string): string => key.split('#', 1)[0] ?? key

/** Longer with each try. */
function pauseAfter({ attempts }: Pick<DueRow, 'attempts'>): number {
  return Math.min(1_000 * 2 ** Math.min(attempts, 20), longestPauseMs)
}
