/**
 * Owns what comes in from chats: written once under the platform's id, then worked on in order within a chat. Whoever is
 * not let in causes one polite line and nothing else; no model hears of them. Every step can be done again after a crash.
 */
import { receptionId } from '@countersign/assistant'
import type { InboundEvent, InboundMessage } from '@countersign/channels'
import {
  CountersignError,
  forDisplay,
  idFrom,
  type Label,
  type OperatorId,
  type SessionId,
} from '@countersign/contract'
import { isPassingFailure, type Kernel, type RecordTransaction } from '@countersign/kernel'
import { sql } from 'kysely'
import type { ChatActs } from './chat-acts.ts'
import { readChatLine } from './chat-command.ts'
import type { TakenFiles } from './chat-files.ts'
import type { OpenChannel } from './chat-of-run.ts'
import { labelOfSpoken } from './chat-speech.ts'
import { createChatTurns, type Look } from './chat-turns.ts'
import { judgeMessage } from './judge-message.ts'
import type { ChannelOutbox, Letter } from './outbox.ts'
import { askToPair, isOwnChat, type Peer, pairedPeer, peerId, requesterOf, shownName } from './peers.ts'
import { spentToday } from './spent-today.ts'
import { channelDb } from './tables.ts'

export interface IntakeParts {
  readonly kernel: Pick<Kernel, 'admit' | 'records' | 'redactor'>
  readonly operator: OperatorId
  readonly uuid: () => string
  readonly zone: string
  readonly clock: () => Date
  readonly outbox: Pick<ChannelOutbox, 'post'>
  readonly acts: ChatActs
  /** The files of a message, put where its run finds them, and what was spoken in them. */
  readonly filesOf: (channel: OpenChannel, event: InboundMessage, peer: Peer) => Promise<TakenFiles>
  readonly pressed: (channel: string, event: string, text: string) => void
  readonly onProblem: (problem: unknown) => void
}

export interface Intake {
  /** Resolves when it is in the database; told again it changes nothing. */
  take(channel: string, event: InboundEvent): Promise<void>
  /**
   * Works on what waits, each chat by itself; says when something is tried again. What fails again and again is put aside,
   * so that its chat goes on. May be asked while it is under way.
   */
  work(channel: OpenChannel, later?: (at: Date) => void): Promise<Date | null>
  /** Has what was put aside tried again, or leaves it; gives its channel, or undefined where it is nothing of that kind. */
  settleAside(tx: RecordTransaction, id: string, again: boolean): Promise<string | undefined>
  /** What is under way is done, and nothing more of what waits is begun. */
  end(): void
}

const minute = 60_000
const hour = 60 * minute
const lineLasts = hour
const mostAtOnce = 100
/** What failed so often by itself fails again. */
const mostTries = 5
const firstPauseMs = 1_000
const longestWhy = 300
const longestTitle = 60
/** Who answers where others read. */
const reception = { agent: receptionId, goal: null, schedule: null, unattended: false }

/** Nobody of this role is there under that id any more. */
class PutOutError extends Error {
  override readonly name = 'PutOutError'
}

interface WaitingRow {
  readonly id: string
  readonly chat: string
  readonly event: InboundEvent
  readonly attempts: number
  readonly next_at: Date | null
}

/** By which the operator names what was put aside. */
export const asideId = (position: number): string => `in_${position}`

export function createIntake(parts: IntakeParts): Intake {
  const { kernel, operator, outbox, acts, onProblem } = parts
  const { records } = kernel

  async function take(channel: string, event: InboundEvent): Promise<void> {
    const sound = withSoundIds(event)
    await records.single(operator, async ({ db, now }) => {
      await channelDb(db)
        .insertInto('channel_inbox')
        .values({
          operator_id: operator,
          channel,
          id: sound.id,
          chat: sound.chat.id,
          peer: 'sender' in sound ? sound.sender.id : '',
          event: storableJson(redactedIn(kernel.redactor, sound)),
          state: 'waiting',
          why: null,
          next_at: null,
          at: now,
        })
        .onConflict((conflict) => conflict.columns(['operator_id', 'channel', 'id']).doNothing())
        .execute()
    })
  }

  const turns = createChatTurns<WaitingRow>()
  let isOver = false

  function work(channel: OpenChannel, later?: (at: Date) => void): Promise<Date | null> {
    const held = new Set<string>()
    return turns.work(channel.name, {
      later,
      look: async (busy) => (isOver ? { work: [], next: null } : look(channel.name, busy.union(held))),
      async settle(row) {
        try {
          await settle(channel, row)
        } catch (problem) {
          // The rest of the chat waits behind it, so that nothing overtakes; other chats do not.
          held.add(row.chat)
          onProblem(problem)
          // That the database is away is no fault of the message, and could not be written down.
          if (isPassingFailure(problem)) throw problem
          await failed(channel.name, row, problem)
          held.delete(row.chat)
        }
      },
    })
  }

  /** The chats in which something waits longest and is due, and what waits first there. */
  async function look(channel: string, but: ReadonlySet<string>): Promise<Look<WaitingRow>> {
    const first = sql`
      select distinct on (chat) id, chat, event, position, attempts, next_at from channel_inbox
      where operator_id = ${operator} and channel = ${channel} and state = 'waiting'
        and chat <> all(${[...but]}::text[])
      order by chat, position`
    const now = parts.clock()
    const { rows: work } = await records.single(operator, ({ db }) =>
      sql<WaitingRow>`
        select first.id, first.chat, first.event, first.attempts from (${first}) first
        where first.next_at is null or first.next_at <= ${now}
        order by first.position limit ${Math.max(mostAtOnce - but.size, 0)}`.execute(db),
    )
    if (work.length > 0) return { work, next: null }
    const { rows: times } = await records.single(operator, ({ db }) =>
      sql<{ next: Date | null }>`select min(first.next_at) as next from (${first}) first`.execute(db),
    )
    return { work, next: times[0]?.next ?? null }
  }

  /** Tried again in a while, or put aside with what went wrong. */
  async function failed(
    channel: string,
    { id, chat, attempts }: WaitingRow,
    problem: unknown,
  ): Promise<void> {
    const said = problem instanceof Error ? problem.message : String(problem)
    const why = kernel.redactor.text(said).replaceAll('\0', '').toWellFormed().slice(0, longestWhy)
    const isOver = attempts + 1 >= mostTries
    await records.change(operator, async (tx) => {
      const { numUpdatedRows } = await channelDb(tx.db)
        .updateTable('channel_inbox')
        .set({
          state: isOver ? 'aside' : 'waiting',
          why,
          attempts: attempts + 1,
          next_at: new Date(parts.clock().getTime() + firstPauseMs * 4 ** attempts),
        })
        .where('channel', '=', channel)
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirst()
      if (!isOver || numUpdatedRows === 0n) return
      const actor = { kind: 'gateway', id: 'channels' } as const
      tx.record({ type: 'channel.message_aside', actor, data: { channel, chat, problem: why } })
      tx.emit({
        type: 'notice',
        about: 'channels',
        text: `A message in ${channel} could not be handled and was put aside. See it with \`countersign channel log ${channel} --state aside\`.`,
      })
      tx.emit({ type: 'channels.changed' })
    })
  }

  async function settleAside(
    { db }: RecordTransaction,
    id: string,
    again: boolean,
  ): Promise<string | undefined> {
    const position = /^in_(\d{1,15})$/.exec(id)?.[1]
    if (position === undefined) return undefined
    const row = await channelDb(db)
      .updateTable('channel_inbox')
      .set({
        attempts: 0,
        next_at: null,
        ...(again ? { state: 'waiting', why: null } : { state: 'left', event: '{}' }),
      })
      .where('position', '=', Number(position))
      .where('state', '=', 'aside')
      .returning('channel')
      .executeTakeFirst()
    return row?.channel
  }

  async function settle(channel: OpenChannel, { id, event }: WaitingRow): Promise<void> {
    switch (event.type) {
      case 'message':
        return settleMessage(channel, event)
      case 'pressed':
        return settlePress(channel, event)
      case 'deleted':
        return mark(channel.name, id, 'left', 'it was taken back')
      case 'edited':
        // What was read cannot be unread; whoever wants something else says so.
        return mark(channel.name, id, 'left', 'it was changed after it was sent')
    }
  }

  async function settleMessage(channel: OpenChannel, event: InboundMessage): Promise<void> {
    const verdict = await records.shared(operator, async (tx) => {
      const peer = await pairedPeer(tx, channel.name, event.sender.id)
      const used =
        typeof peer === 'object' && peer.role !== 'operator'
          ? await usedBy(tx, channel.name, event.sender.id, parts.zone)
          : { spentUsd: 0, inLastHour: 0, hour: 0 }
      return judgeMessage(event, { manifest: channel.manifest, choices: channel.choices, peer, ...used })
    })
    switch (verdict.kind) {
      case 'left':
        return mark(channel.name, event.id, 'left', verdict.why)
      case 'pair':
        return greet(channel, event)
      case 'limited':
        return reply(
          channel,
          event,
          `limited/${channel.name}/${event.sender.id}/${hourOf(parts.clock())}`,
          verdict.told,
        )
      case 'heard':
        return hear(channel, event, verdict.peer, verdict.decides)
    }
  }

  async function greet(channel: OpenChannel, event: InboundMessage): Promise<void> {
    await records.change(operator, async (tx) => {
      const code = await askToPair(tx, channel.name, event)
      if (code !== undefined)
        await outbox.post(
          tx,
          letterTo(channel, event, {
            key: `pairing/${channel.name}/${event.id}`,
            kind: 'pairing',
            text: `Hello. I only answer people whom my operator has let in. If you know them, tell them this code within the hour: ${code.slice(0, 4)}-${code.slice(4)}`,
          }),
        )
      await markIn(tx, channel.name, event.id, 'left', 'nobody let them in')
    })
  }

  async function hear(
    channel: OpenChannel,
    event: InboundMessage,
    peer: Peer,
    decides: boolean,
  ): Promise<void> {
    const line = event.forwarded ? ({ kind: 'words' } as const) : readChatLine(event.text)
    const answerKey = `answer/${channel.name}/${event.id}`
    switch (line.kind) {
      case 'approve':
      case 'deny': {
        const told = await acts.decide({ channel, chat: event.chat.id, peer, decides, ...verdictOf(line) })
        return reply(channel, event, answerKey, told)
      }
      case 'command': {
        const told = await acts.command({ channel, event, peer, decides, command: line.command })
        if (told !== undefined) return reply(channel, event, answerKey, told)
      }
    }
    return admit(channel, event, peer)
  }

  async function admit(channel: OpenChannel, event: InboundMessage, peer: Peer): Promise<void> {
    if (event.text.trim() === '' && event.files.length === 0)
      return mark(channel.name, event.id, 'left', 'it says nothing')
    const session = await sessionOf(channel, event)
    if (session === undefined) return mark(channel.name, event.id, 'left', 'this is a chat of somebody else')
    const { attachments, spoken } = await parts.filesOf(channel, event, peer)
    const said = [event.text, ...spoken].filter((each) => each.trim() !== '').join('\n')
    const name = shownName(event.sender.name)
    const id = peerId(channel.name, event.sender.id)
    const typed = labelOfSender(channel, peer, event)
    const label = spoken.length === 0 ? typed : labelOfSpoken(typed, channel.manifest.title)
    const isOwn = peer.role === 'operator'
    const inGroup = event.chat.kind === 'group'
    // In a group it is one of several people who speaks, and others read the answer.
    const text = inGroup ? `${name}: ${said}` : said
    try {
      await kernel.admit(operator, {
        key: inputKey(channel, event.id),
        session: null,
        opens: session,
        title: `${channel.manifest.title} · ${inGroup ? shownName(event.chat.title) : name}`.slice(
          0,
          longestTitle,
        ),
        text: text.toWellFormed(),
        mode: 'auto',
        ...(attachments.length === 0 ? {} : { attachments: [...attachments] }),
        requester: requesterOf(peer, event.chat.id),
        ...(label ? { label } : {}),
        async answeredBy(tx) {
          // Fetching files takes a while: whoever was put out meanwhile is not heard, and whoever puts them out now waits.
          const now = await pairedPeer(tx, channel.name, event.sender.id, true)
          if (typeof now !== 'object' || now.role !== peer.role) throw new PutOutError()
          if (spoken.length > 0) await outbox.post(tx, heardLetter(channel, event, spoken))
          return isOwnChat(now, event.chat) ? undefined : reception
        },
        ...(isOwn ? {} : { by: { kind: 'gateway', id: `channel/${id}` } }),
      })
    } catch (error) {
      if (error instanceof PutOutError) return mark(channel.name, event.id, 'left', 'they were put out')
      if (!(error instanceof CountersignError) || error.code === 'internal') throw error
      return reply(
        channel,
        event,
        `answer/${channel.name}/${event.id}`,
        isOwnChat(peer, event.chat) ? error.message : 'I cannot take this now.',
      )
    }
    return mark(channel.name, event.id, 'admitted', null)
  }

  /**
   * The conversation of a chat, or of a thread in it; its first message begins it. A private chat is of one person:
   * whoever else writes there would read what was said to them. Where nobody can be told apart it is of all who write there.
   */
  async function sessionOf(channel: OpenChannel, event: InboundMessage): Promise<SessionId | undefined> {
    const isOfOne = event.chat.kind === 'private' && channel.manifest.proves === 'sender'
    const peer = isOfOne ? event.sender.id : null
    const { value } = await records.change(operator, async (tx) => {
      const rows = channelDb(tx.db)
      const other = await rows
        .selectFrom('channel_chats')
        .select('peer')
        .where('channel', '=', channel.name)
        .where('chat', '=', event.chat.id)
        .where(({ eb, or }) => or([eb('kind', '<>', event.chat.kind), eb('peer', 'is distinct from', peer)]))
        .executeTakeFirst()
      if (other) return undefined
      const row = await rows
        .insertInto('channel_chats')
        .values({
          operator_id: tx.operator,
          channel: channel.name,
          chat: event.chat.id,
          kind: event.chat.kind,
          title: shownName(event.chat.title),
          peer,
          thread: event.thread ?? '',
          session_id: idFrom('ses', parts.uuid()),
        })
        .onConflict((conflict) =>
          conflict
            .columns(['operator_id', 'channel', 'chat', 'thread'])
            .doUpdateSet({ title: shownName(event.chat.title) }),
        )
        .returning('session_id')
        .executeTakeFirstOrThrow()
      return row.session_id
    })
    return value
  }

  async function settlePress(
    channel: OpenChannel,
    event: Extract<InboundEvent, { type: 'pressed' }>,
  ): Promise<void> {
    const told = await acts.press(channel, event)
    if (told === undefined) return mark(channel.name, event.id, 'left', 'nobody let them in')
    parts.pressed(channel.name, event.id, told)
    return mark(channel.name, event.id, 'answered', null)
  }

  /** A line of ours, and the message is done with: one transaction, so that neither comes without the other. */
  async function reply(
    channel: OpenChannel,
    event: InboundMessage,
    key: string,
    text: string,
  ): Promise<void> {
    await records.change(operator, async (tx) => {
      await outbox.post(tx, letterTo(channel, event, { key, kind: 'answer', text }))
      await markIn(tx, channel.name, event.id, 'answered', null)
    })
  }

  async function mark(
    channel: string,
    id: string,
    state: 'admitted' | 'answered' | 'left',
    why: string | null,
  ): Promise<void> {
    await records.single(operator, (tx) => markIn(tx, channel, id, state, why))
  }

  async function markIn(
    { db }: RecordTransaction,
    channel: string,
    id: string,
    state: 'admitted' | 'answered' | 'left',
    why: string | null,
  ): Promise<void> {
    await channelDb(db)
      .updateTable('channel_inbox')
      // What was not for us is not kept.
      .set({ state, why, ...(state === 'left' ? { event: '{}' } : {}) })
      .where('channel', '=', channel)
      .where('id', '=', id)
      .execute()
  }

  return {
    take,
    work,
    settleAside,
    end() {
      isOver = true
    },
  }
}

function verdictOf(line: Extract<ReturnType<typeof readChatLine>, { kind: 'approve' | 'deny' }>) {
  return line.kind === 'approve'
    ? ({ verdict: 'approve', code: line.code, reason: '' } as const)
    : ({ verdict: 'deny', code: line.code, reason: line.reason } as const)
}

function letterTo(
  channel: OpenChannel,
  { chat, thread }: InboundMessage,
  letter: Pick<Letter, 'key' | 'kind' | 'text'>,
): Letter {
  return { ...letter, channel: channel.name, chat: chat.id, thread, format: 'plain', lastsMs: lineLasts }
}

/** Whoever spoke sees what was understood before it is answered. */
function heardLetter(channel: OpenChannel, event: InboundMessage, spoken: readonly string[]): Letter {
  const text = `I heard: “${spoken.join('” “')}”`
  return letterTo(channel, event, { key: `heard/${channel.name}/${event.id}`, kind: 'answer', text })
}

/**
 * What the words and files are worth; undefined for the operator's own. Others' are theirs, however well they are known;
 * what somebody passes on was written by nobody we know.
 */
export function labelOfSender(
  { manifest }: OpenChannel,
  { role }: Peer,
  { sender, forwarded }: InboundMessage,
): Label | undefined {
  if (role === 'operator' && !forwarded) return undefined
  const isTrusted = role === 'trusted' && manifest.proves === 'sender' && sender.proven && !forwarded
  return {
    integrity: isTrusted ? 'paired' : 'untrusted',
    confidentiality: 'public',
    sources: [forDisplay(`${manifest.title}: ${shownName(sender.name)}`).text.slice(0, 100)],
  }
}

/**
 * What somebody's messages cost today, and how many came in the last hour. What was left alone is not among them: others
 * can write under their name where nothing shows that it was they.
 */
async function usedBy(tx: RecordTransaction, channel: string, peer: string, zone: string) {
  const { rows } = await sql<{ messages: number }>`
    select count(*)::int as messages from channel_inbox c where c.channel = ${channel} and c.peer = ${peer}
      and c.state <> 'left' and c.at > ${new Date(tx.now.getTime() - hour)}`.execute(tx.db)
  return { ...(await spentToday(tx, peerId(channel, peer), zone)), inLastHour: rows[0]?.messages ?? 0 }
}

/** Another account counts its messages from the beginning. */
const inputKey = ({ name, epoch }: OpenChannel, id: string): string =>
  epoch === undefined ? `channel/${name}/${id}` : `channel/${name}/${epoch}/${id}`

const hourOf = (at: Date): string => at.toISOString().slice(0, 13)

/** What people wrote and called themselves. An id stays as it is: two people must not become one. */
function redactedIn(redactor: Kernel['redactor'], event: InboundEvent): InboundEvent {
  const { chat } = event
  const clean = { ...event, chat: { ...chat, title: redactor.text(chat.title) } }
  if ('sender' in clean) clean.sender = { ...clean.sender, name: redactor.text(clean.sender.name) }
  if ('text' in clean) clean.text = redactor.text(clean.text)
  if ('files' in clean) clean.files = clean.files.map((file) => ({ ...file, name: redactor.text(file.name) }))
  return clean
}

/** With what PostgreSQL cannot keep replaced, never left out: an id must not become another that there is. */
function withSoundIds<Event extends InboundEvent>(event: Event): Event {
  const { chat } = event
  const sound = { ...event, id: soundId(event.id), chat: { ...chat, id: soundId(chat.id) } }
  return 'sender' in sound ? { ...sound, sender: { ...sound.sender, id: soundId(sound.sender.id) } } : sound
}

const soundId = (id: string): string => id.replaceAll('\0', '\u{fffd}').toWellFormed()

/** PostgreSQL keeps no NUL in a text. */
function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll('\0', '').toWellFormed() : inner,
  )
}
