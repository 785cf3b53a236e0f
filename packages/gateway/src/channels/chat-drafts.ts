/**
 * Owns what the operator sees of an answer while it is being written, in their own chat and where a message can be
 * changed. A draft is a message like any other, and the answer takes its place. What is lost of a draft is lost; the
 * answer is not: it waits for a change that is under way.
 */
import { type OutboundMessage, type SendResult, splitText } from '@countersign/channels'
import type { OperatorId, RunId } from '@countersign/contract'
import type { Delta, RecordTransaction, RecordTransactions } from '@countersign/kernel'
import type { ChatOfRun } from './chat-of-run.ts'
import type { ChannelOutbox } from './outbox.ts'
import { channelDb } from './tables.ts'

export interface ChatDraftParts {
  readonly records: Pick<RecordTransactions, 'change' | 'read'>
  readonly operator: OperatorId
  readonly outbox: Pick<ChannelOutbox, 'post'>
  readonly chatOf: (tx: Pick<RecordTransaction, 'db'>, run: RunId) => Promise<ChatOfRun | undefined>
  readonly edit: (channel: string, message: string, change: OutboundMessage) => Promise<SendResult>
  readonly onProblem: (problem: unknown) => void
}

export interface ChatDrafts {
  take(delta: Delta): void
  /** The answer is there, or there will be none. */
  over(run: RunId): void
  /** Resolves when nothing of a draft is on its way to that message. */
  settled(message: string): Promise<void>
  close(): void
}

interface Draft {
  /** Of which turn and try the text is. */
  attempt: string
  text: string
  timer: NodeJS.Timeout | undefined
  /** Null where nobody is shown one. */
  chat: ChatOfRun | null | undefined
}

/** An answer that is there sooner is not worth two messages; platforms take a change every second or so. */
const showMs = 2_500
const lasts = 60_000

export const draftKey = (run: RunId): string => `draft/${run}`

export function createChatDrafts(parts: ChatDraftParts): ChatDrafts {
  const drafts = new Map<RunId, Draft>()
  const onTheWay = new Map<string, Promise<unknown>>()

  function take({ run, turn, attempt, kind, text }: Delta): void {
    if (kind !== 'text') return
    const known = drafts.get(run)
    const draft = known ?? { attempt: '', text: '', timer: undefined, chat: undefined }
    if (!known) drafts.set(run, draft)
    if (draft.chat === null) return
    const now = `${turn}/${attempt}`
    draft.text = draft.attempt === now ? draft.text + text : text
    draft.attempt = now
    draft.timer ??= setTimeout(() => {
      show(run, draft).catch(parts.onProblem)
    }, showMs).unref()
  }

  async function show(run: RunId, draft: Draft): Promise<void> {
    draft.timer = undefined
    const text = draft.text
    // Each time anew: whoever was put out meanwhile sees no more of it.
    draft.chat = (await parts.records.read(parts.operator, (tx) => shownIn(tx, run))) ?? null
    const { chat } = draft
    if (!chat || drafts.get(run) !== draft) return
    const [first] = splitText(text, chat.channel.manifest.text)
    if (first === undefined) return
    const sent = await parts.records.read(parts.operator, (tx) => draftOf(tx, run))
    if (!sent) await post(run, chat, first)
    else if (sent.message !== null) await change(sent.message, chat, first)
  }

  async function shownIn(tx: Pick<RecordTransaction, 'db'>, run: RunId): Promise<ChatOfRun | undefined> {
    const chat = await parts.chatOf(tx, run)
    return chat?.own && chat.channel.manifest.can.edit ? chat : undefined
  }

  async function post(run: RunId, chat: ChatOfRun, text: string): Promise<void> {
    await parts.records.change(parts.operator, async (tx) => {
      await parts.outbox.post(tx, {
        key: draftKey(run),
        channel: chat.channel.name,
        chat: chat.chat,
        thread: chat.thread,
        kind: 'reply',
        text,
        format: 'plain',
        about: run,
        lastsMs: lasts,
      })
    })
  }

  function change(message: string, chat: ChatOfRun, text: string): Promise<unknown> {
    const changed = parts
      .edit(chat.channel.name, message, {
        key: 'draft',
        chat: chat.chat,
        thread: chat.thread,
        text,
        format: 'plain',
        buttons: [],
        file: null,
        alone: true,
      })
      .finally(() => onTheWay.delete(message))
    onTheWay.set(message, changed)
    return changed
  }

  return {
    take,
    over(run) {
      clearTimeout(drafts.get(run)?.timer)
      drafts.delete(run)
    },
    async settled(message) {
      await onTheWay.get(message)
    },
    close() {
      for (const { timer } of drafts.values()) clearTimeout(timer)
      drafts.clear()
    },
  }
}

/** The draft of a run, if there is one; its message is null until it was sent. */
export function draftOf(
  { db }: Pick<RecordTransaction, 'db'>,
  run: RunId,
): Promise<{ readonly id: string; readonly message: string | null } | undefined> {
  return channelDb(db)
    .selectFrom('channel_outbox')
    .select(['id', 'message'])
    .where('key', '=', draftKey(run))
    .executeTakeFirst()
}
