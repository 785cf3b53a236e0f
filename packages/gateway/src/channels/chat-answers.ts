/**
 * Owns what is told in chats: what the assistant answers there, what waits for the operator, and what became of that. It
 * follows the event log from where it was, and what it posts is written with how far it came, so that nothing is told
 * twice and nothing is left out by a crash.
 */

import type { OutboundMessage, SendResult } from '@countersign/channels'
import {
  type ApprovalView,
  composeChatCard,
  type DeliveryState,
  type EventBody,
  forDisplay,
  type GatewayEvent,
  type OperatorId,
  type RunId,
  reminderWords,
} from '@countersign/contract'
import type { Kernel, RecordTransaction } from '@countersign/kernel'
import { createChatDrafts, draftOf } from './chat-drafts.ts'
import { chatOf, type OpenChannel } from './chat-of-run.ts'
import type { ChannelOutbox, Letter } from './outbox.ts'
import { operatorsOwn } from './peers.ts'
import { filesSentBy, type SentFile } from './sent-files.ts'
import { channelDb } from './tables.ts'

export interface ChatAnswerParts {
  readonly kernel: Pick<Kernel, 'stream' | 'records'>
  readonly operator: OperatorId
  readonly outbox: Pick<ChannelOutbox, 'post'>
  /** Undefined where it is paused or gone. */
  readonly channel: (name: string) => OpenChannel | undefined
  /** All that are open. */
  readonly channels: () => readonly OpenChannel[]
  /** Where a card is read whole and decided. */
  readonly review: (code: string) => string
  readonly typing: (channel: string, chat: string) => void
  /** Puts another text in the place of a message, now or not at all. */
  readonly edit: (channel: string, message: string, change: OutboundMessage) => Promise<SendResult>
  readonly onProblem: (problem: unknown) => void
}

export interface ChatAnswers {
  /** Resolves when nothing of a draft is on its way to that message. */
  settled(message: string): Promise<void>
  close(): Promise<void>
}

/** The row of `channel_states` that says how far the event log was told; no channel has this name. */
export const progress = '*'
const hour = 60 * 60_000
const replyLasts = 12 * hour
const noticeLasts = 2 * hour
const mostAtOnce = 200
const mostPassedOver = 1_000
const mostHeard = 1_000

export async function openChatAnswers(parts: ChatAnswerParts): Promise<ChatAnswers> {
  const { kernel, operator, onProblem } = parts
  let reached = await beginning(parts)
  let kept = reached
  let isClosed = false
  let turn = Promise.resolve()
  let isWaiting = false
  /** What was heard and not told yet, without a gap; empty after it became too much. */
  let heard: readonly GatewayEvent[] = []

  /** One look after the other; whoever waits for its turn is enough. */
  function look(): void {
    if (isWaiting || isClosed) return
    isWaiting = true
    turn = turn
      .then(async () => {
        isWaiting = false
        await catchUp()
      })
      .catch(onProblem)
  }

  /** What was heard need not be read. */
  async function next(): Promise<readonly GatewayEvent[]> {
    heard = heard.filter(({ seq }) => seq > reached)
    return heard[0]?.seq === reached + 1
      ? heard.slice(0, mostAtOnce)
      : kernel.stream.since(operator, reached, mostAtOnce)
  }

  async function catchUp(): Promise<void> {
    while (!isClosed) {
      const events = await next()
      const last = events.at(-1)
      if (!last) return
      const told = events.filter((event) => isTold(event) || isEndToTell(parts, event))
      // Passing over is not written down each time: what was passed over once is passed over again.
      if (told.length > 0 || last.seq - kept > mostPassedOver) {
        await kernel.records.change(operator, async (tx) => {
          for (const event of told) await tell(agedBy(parts, tx.now, event), tx, event)
          await keepProgress(tx, last.seq)
        })
        kept = last.seq
      }
      reached = last.seq
      // What comes later is told of.
      if (events.length < mostAtOnce) return
    }
  }

  const drafts = createChatDrafts({
    records: kernel.records,
    operator,
    outbox: parts.outbox,
    chatOf: (tx, run) => chatOf(parts, tx, run),
    edit: parts.edit,
    onProblem,
  })
  const { stop } = await kernel.stream.listen(operator, {
    events(events) {
      heard = heard.length + events.length > mostHeard ? [] : [...heard, ...events]
      for (const { body } of events) {
        if (body.type === 'run.started') showTyping(parts, body.run).catch(onProblem)
        if (body.type === 'run.ended' || (body.type === 'turn.replied' && body.calls === 0))
          drafts.over(body.run)
      }
      look()
    },
    delta: drafts.take,
  })
  look()
  return {
    settled: drafts.settled,
    async close() {
      isClosed = true
      stop()
      drafts.close()
      await turn
    },
  }
}

/** Those that say something to somebody in a chat; the others are passed over without a transaction. */
function isTold({ body }: GatewayEvent): boolean {
  switch (body.type) {
    case 'turn.replied':
      return body.text.trim() !== '' && body.calls === 0
    case 'run.ended':
      return body.reason !== 'completed' && body.reason !== 'manual'
    case 'approval.requested':
    case 'approval.decided':
    case 'question.asked':
    case 'notice':
    case 'reminder.due':
      return true
    default:
      return false
  }
}

/** Somewhere every end of a run is told, also of one that nobody in a chat asked for. */
function isEndToTell({ channels }: ChatAnswerParts, { body }: GatewayEvent): boolean {
  return body.type === 'run.ended' && channels().some(({ tellsEnds }) => tellsEnds)
}

/** Of a first start, now: what happened before there were channels is told to nobody. */
async function beginning({ kernel, operator }: ChatAnswerParts): Promise<number> {
  const kept = await kernel.records.read(operator, ({ db }) =>
    channelDb(db)
      .selectFrom('channel_states')
      .select('state')
      .where('channel', '=', progress)
      .executeTakeFirst(),
  )
  if (kept) return Math.max(Number(kept.state), await kernel.stream.removedTo(operator))
  const head = await kernel.stream.head(operator)
  await kernel.records.change(operator, (tx) => keepProgress(tx, head))
  return head
}

async function keepProgress(tx: RecordTransaction, seq: number): Promise<void> {
  await channelDb(tx.db)
    .insertInto('channel_states')
    .values({ operator_id: tx.operator, channel: progress, state: String(seq) })
    .onConflict((conflict) =>
      conflict.columns(['operator_id', 'channel']).doUpdateSet({ state: String(seq) }),
    )
    .execute()
}

/** What is told late lasts as long as if it had been told at once. */
function agedBy(parts: ChatAnswerParts, now: Date, { at }: GatewayEvent): ChatAnswerParts {
  const age = Math.max(now.getTime() - Date.parse(at), 0)
  const post: ChannelOutbox['post'] = (tx, letter) =>
    parts.outbox.post(tx, { ...letter, lastsMs: letter.lastsMs - age })
  return { ...parts, outbox: { post } }
}

async function tell(parts: ChatAnswerParts, tx: RecordTransaction, event: GatewayEvent): Promise<void> {
  const { seq, body } = event
  switch (body.type) {
    case 'turn.replied': {
      const files = await filesSentBy(tx, body.run)
      return answer(parts, tx, body.run, { key: `reply/${body.run}/${body.turn}`, text: body.text, files })
    }
    case 'run.ended':
      await tellEnd(parts, tx, body)
      if (!isTold(event)) return
      return answer(parts, tx, body.run, {
        key: `ended/${body.run}`,
        text: `I stopped before the end: ${body.message}`,
        toOthers: 'I could not finish this.',
      })
    case 'question.asked': {
      // Its words are no stranger's business in a chat, and what is typed there answers no server.
      if (body.server)
        return answer(parts, tx, body.run, {
          key: `question/${body.question}`,
          text: `The server ${body.server.server} asks you something. Answer or decline it in the web app or on the command line; it cannot be answered here.`,
          toOthers: 'I am waiting for an answer.',
        })
      const choices = body.choices.map((choice, index) => `${index + 1}. ${choice}`)
      return answer(parts, tx, body.run, {
        key: `question/${body.question}`,
        text: [body.text, ...choices].join('\n'),
      })
    }
    case 'approval.requested':
      return ask(parts, tx, body.approval)
    case 'approval.decided':
      return close(parts, tx, body)
    case 'notice':
      return tellOperator(parts, tx, { key: `notice/${seq}`, text: body.text })
    case 'reminder.due':
      return tellOperator(parts, tx, {
        key: `reminder/${seq}`,
        text: reminderWords(body),
      })
    default:
  }
}

/** Which run and why, and nothing of what was said in it: whoever reads there is not known. */
async function tellEnd(
  parts: ChatAnswerParts,
  tx: RecordTransaction,
  { run, session, reason }: Extract<EventBody, { type: 'run.ended' }>,
): Promise<void> {
  for (const { name, noticeChat, tellsEnds } of parts.channels())
    if (tellsEnds && noticeChat !== undefined)
      await parts.outbox.post(tx, {
        key: `ends/${run}/${name}`,
        channel: name,
        chat: noticeChat,
        kind: 'notice',
        text: `${run} of ${session} ended: ${reason}.`,
        format: 'plain',
        lastsMs: noticeLasts,
      })
}

async function answer(
  parts: ChatAnswerParts,
  tx: RecordTransaction,
  run: RunId,
  {
    key,
    text,
    toOthers,
    files = [],
  }: {
    readonly key: string
    readonly text: string
    /** What it says where it is not the operator who reads; left out, the same. */
    readonly toOthers?: string
    /** They follow it. */
    readonly files?: readonly SentFile[]
  },
): Promise<void> {
  const chat = await chatOf(parts, tx, run)
  if (!chat) return
  const held = !chat.own && !chat.isPublic && toOthers === undefined
  const draft = chat.own && chat.channel.manifest.can.edit ? await draftOf(tx, run) : undefined
  const letter: Letter = {
    key,
    channel: chat.channel.name,
    chat: chat.chat,
    thread: chat.thread,
    kind: 'reply',
    text: chat.own ? text : (toOthers ?? text),
    format: 'markdown',
    about: run,
    held,
    lastsMs: replyLasts,
  }
  await parts.outbox.post(tx, { ...letter, ...(draft ? { changes: draft.id } : {}) })
  for (const { call, path, sha256 } of files)
    await parts.outbox.post(tx, {
      ...letter,
      key: `file/${call}`,
      text: path,
      format: 'plain',
      file: { path, sha256 },
    })
  if (held)
    tx.emit({
      type: 'notice',
      about: 'channels',
      text: `An answer for ${chat.channel.name} waits for you: it may hold something private. See it with \`countersign channel log ${chat.channel.name}\`.`,
    })
}

/** Puts the card before the operator wherever they may decide. */
async function ask(parts: ChatAnswerParts, tx: RecordTransaction, approval: ApprovalView): Promise<void> {
  for (const { channel: name, chat } of await operatorsOwn(tx)) {
    const channel = parts.channel(name)
    if (!channel?.choices.approvals) continue
    const review = parts.review(approval.code)
    const { text, decidable } = composeChatCard(approval, { now: tx.now, review })
    const isDecided = decidable && approval.card.tier <= channel.manifest.decides
    await parts.outbox.post(tx, {
      key: `card/${approval.id}/${name}/${chat}`,
      channel: name,
      chat,
      kind: 'card',
      text,
      format: 'plain',
      about: approval.id,
      ...(isDecided ? { digest: approval.digest, buttons: decisionButtons } : {}),
      lastsMs: Date.parse(approval.expiresAt) - Date.parse(approval.createdAt),
    })
  }
  for (const channel of parts.channels()) {
    if (channel.noticeChat === undefined || !channel.choices.approvals) continue
    // Whoever may read there is not known: what is asked stands in the app.
    await parts.outbox.post(tx, {
      key: `waits/${approval.id}/${channel.name}`,
      channel: channel.name,
      chat: channel.noticeChat,
      kind: 'notice',
      text: `Approval ${approval.code} waits for you: ${parts.review(approval.code)}`,
      format: 'plain',
      lastsMs: Date.parse(approval.expiresAt) - Date.parse(approval.createdAt),
    })
  }
  const chat = await chatOf(parts, tx, approval.run)
  if (chat && !chat.own)
    await parts.outbox.post(tx, {
      key: `asking/${approval.run}`,
      channel: chat.channel.name,
      chat: chat.chat,
      thread: chat.thread,
      kind: 'answer',
      text: 'I need the operator’s OK for this, and have asked them.',
      format: 'plain',
      lastsMs: noticeLasts,
    })
}

export const decisionButtons = [
  { label: 'Approve once', data: 'approve' },
  { label: 'Deny', data: 'deny' },
]

/** A card in such a state stands in the chat, or may stand there. */
const arrived: readonly DeliveryState[] = ['sent', 'sending', 'unknown']

/** The same message says what became of it, and keeps what was asked. One that was not sent yet is not sent any more. */
async function close(
  parts: ChatAnswerParts,
  tx: RecordTransaction,
  decided: Extract<EventBody, { type: 'approval.decided' }>,
): Promise<void> {
  const db = channelDb(tx.db)
  const cards = await db
    .selectFrom('channel_outbox')
    .select(['id', 'channel', 'chat', 'state', 'text', 'key'])
    .where('about', '=', decided.approval)
    .where('kind', '=', 'card')
    .orderBy('position')
    .forUpdate()
    .execute()
  const outcome = `→ ${decided.code}: ${wordsOf(decided)}`
  const own = await operatorsOwn(tx)
  for (const card of cards) {
    if (card.state === 'waiting') {
      await db.updateTable('channel_outbox').set({ state: 'dropped' }).where('id', '=', card.id).execute()
      continue
    }
    // Whoever is the operator no longer hears nothing of it, and nobody of a card that they never saw.
    if (!arrived.includes(card.state)) continue
    if (!own.some((each) => each.channel === card.channel && each.chat === card.chat)) continue
    const channel = parts.channel(card.channel)
    // Of a card in several messages the first is followed.
    if (!channel || card.key !== `card/${decided.approval}/${card.channel}/${card.chat}`) continue
    await parts.outbox.post(tx, {
      key: `decided/${card.id}`,
      channel: card.channel,
      chat: card.chat,
      kind: 'change',
      text: channel.manifest.can.edit ? `${card.text}\n${outcome}` : outcome,
      format: 'plain',
      ...(channel.manifest.can.edit ? { changes: card.id } : {}),
      lastsMs: noticeLasts,
    })
  }
}

function wordsOf({ state, by, reason }: Extract<EventBody, { type: 'approval.decided' }>): string {
  const who = forDisplay(by).text
  const why = reason === null || reason === '' ? '' : ` (${forDisplay(reason).text.slice(0, 200)})`
  return `${state} by ${who}${why}`
}

async function tellOperator(
  parts: ChatAnswerParts,
  tx: RecordTransaction,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<void> {
  const own = (await operatorsOwn(tx)).map(({ channel, chat }) => ({ channel: parts.channel(channel), chat }))
  const named = parts.channels().map((channel) => ({ channel, chat: channel.noticeChat }))
  for (const { channel, chat } of [...own, ...named]) {
    if (!channel?.choices.notices || chat === undefined) continue
    await parts.outbox.post(tx, {
      key: `${key}/${channel.name}/${chat}`,
      channel: channel.name,
      chat,
      kind: 'notice',
      text: forDisplay(text, { multiline: true }).text,
      format: 'plain',
      lastsMs: noticeLasts,
    })
  }
}

async function showTyping(parts: ChatAnswerParts, run: RunId): Promise<void> {
  const chat = await parts.kernel.records.shared(parts.operator, (tx) => chatOf(parts, tx, run))
  if (chat) parts.typing(chat.channel.name, chat.chat)
}
