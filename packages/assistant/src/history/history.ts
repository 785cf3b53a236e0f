/** Owns what a surface may ask of the past: to see a conversation, find one that ended, and copy, carry or name one. */
import {
  type ConversationExport,
  CountersignError,
  type EpisodeView,
  type ForkSession,
  type ImportSession,
  type MarkSession,
  metadataLimits,
  type OperatorId,
  type SessionArchived,
  type SessionCleared,
  type SessionId,
  type SessionMade,
  spanOf,
  type Thread,
  type Timeframe,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantContext } from '../assistant-context.ts'
import type { Archive } from './archive.ts'
import { clearSession } from './clear.ts'
import { fork } from './copy.ts'
import { exportSession, importSession, type Redact } from './exchange.ts'
import type { PrivateConversations } from './private.ts'
import { removeSession } from './remove.ts'
import { searchEpisodes } from './search.ts'
import { noSession, type ThreadPage, threadOf } from './thread.ts'

export interface HistoryOptions {
  readonly context: AssistantContext
  readonly archive: Pick<Archive, 'archiveBefore'>
  readonly privates: Pick<PrivateConversations, 'has' | 'end'>
  /** Takes secrets out of whatever leaves, and of whatever comes in. */
  readonly redact: Redact
  /** Every tool that there is, switched on or not. */
  readonly toolNames: () => Promise<ReadonlySet<string>>
}

export type History = ReturnType<typeof createHistory>

const day = 24 * 60 * 60_000

export function createHistory({ context, archive, privates, redact, toolNames }: HistoryOptions) {
  const { records } = context
  return {
    thread: (operator: OperatorId, session: SessionId, page: ThreadPage): Promise<Thread> =>
      records.read(operator, ({ db }) => threadOf(db, session, page)),

    search: (
      operator: OperatorId,
      asked: { readonly text: string; readonly timeframe: Timeframe; readonly limit: number },
    ): Promise<EpisodeView[]> =>
      records.read(operator, async ({ db }) => {
        const from = beginningOf(asked.timeframe, context.clock(), context.zone)
        const { text, limit } = asked
        return [...(await searchEpisodes(db, { text, limit, ...(from ? { from: from.toISOString() } : {}) }))]
      }),

    async fork(
      operator: OperatorId,
      session: SessionId,
      wanted: ForkSession,
      actor: Actor,
    ): Promise<SessionMade> {
      const { value, ledger } = await records.change(operator, (tx) =>
        fork(tx, session, wanted, { actor, uuid: context.uuid }),
      )
      return { ...value, ledger }
    },

    async archive(operator: OperatorId, session: SessionId, actor: Actor): Promise<SessionArchived> {
      const ended = await archive.archiveBefore(operator, session, 'all', 'asked', { actor })
      if (ended.kind === 'missing') throw noSession(session)
      if (ended.kind === 'busy')
        throw new CountersignError('conflict', `A run of ${session} is active or waiting for you.`, {
          next: 'Let it end, or stop it with `countersign run stop`, then archive again.',
        })
      if (ended.kind === 'nothing') return { episode: null, messages: 0, ledger: ended.ledger }
      return { episode: ended.episode, messages: ended.messages, ledger: ended.ledger }
    },

    async clear(operator: OperatorId, session: SessionId, actor: Actor): Promise<SessionCleared> {
      const { value, ledger } = await records.change(operator, (tx) => clearSession(tx, session, actor))
      return { messages: value, ledger }
    },

    async rename(operator: OperatorId, session: SessionId, title: string, actor: Actor): Promise<number> {
      const { ledger } = await records.change(operator, async (tx) => {
        const held = await tx.sessions.lock(session)
        if (!held) throw noSession(session)
        const named = redact(title)
        await tx.sessions.rename(session, named)
        tx.record({ type: 'session.renamed', actor, session, data: { from: held.title, to: named } })
      })
      return ledger
    },

    async mark(operator: OperatorId, session: SessionId, marks: MarkSession, actor: Actor): Promise<number> {
      if (marks.extraTools && marks.extraTools.length > 0) requireKnown(marks.extraTools, await toolNames())
      const { ledger } = await records.change(operator, async (tx) => {
        const held = await tx.sessions.lock(session)
        if (!held) throw noSession(session)
        const { metadata, ...shown } = marks
        requireRoom({ ...held.metadata, ...metadata })
        await tx.sessions.mark(session, {
          ...shown,
          ...(metadata ? { metadata: redacted(metadata, redact) } : {}),
        })
        tx.record({
          type: 'session.marked',
          actor,
          session,
          data: {
            ...(marks.pinned === undefined ? {} : { pinned: marks.pinned }),
            ...(marks.hidden === undefined ? {} : { hidden: marks.hidden }),
            ...(marks.extraTools === undefined ? {} : { extraTools: marks.extraTools }),
            ...(marks.metadata === undefined ? {} : { metadata: Object.keys(marks.metadata) }),
          },
        })
      })
      return ledger
    },

    async remove(operator: OperatorId, session: SessionId, actor: Actor): Promise<number> {
      // It does not wait for what works in it.
      if (await privates.has(operator, session)) return privates.end(operator, session, actor)
      const { ledger } = await records.change(operator, (tx) => removeSession(tx, session, actor))
      return ledger
    },

    exported: (operator: OperatorId, session: SessionId): Promise<ConversationExport> =>
      records.read(operator, (tx) => exportSession(tx, session, redact)),

    async imported(operator: OperatorId, imported: ImportSession, actor: Actor): Promise<SessionMade> {
      const { value, ledger } = await records.change(operator, (tx) =>
        importSession(tx, imported, { actor, redact, uuid: context.uuid }),
      )
      return { ...value, ledger }
    },
  }
}

function requireKnown(tools: readonly string[], known: ReadonlySet<string>): void {
  const stranger = tools.find((name) => !known.has(name))
  if (stranger !== undefined)
    throw new CountersignError('usage', `There is no tool named ${stranger}.`, {
      next: 'Find its name with `countersign tool list`.',
    })
}

function requireRoom(metadata: NonNullable<MarkSession['metadata']>): void {
  if (Object.values(metadata).filter((value) => value !== null).length > metadataLimits.entries)
    throw new CountersignError('usage', `A session keeps at most ${metadataLimits.entries} entries.`, {
      next: 'Take some away first: give them an empty value.',
    })
}

function redacted(metadata: NonNullable<MarkSession['metadata']>, redact: Redact) {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, value === null ? null : redact(value)]),
  )
}

/** Today begins where the operator lives; the others are as many days back. */
export function beginningOf(timeframe: Timeframe, now: Date, zone: string): Date | undefined {
  const back = { last_week: 7, last_month: 31, last_year: 366 } as const
  if (timeframe === 'all') return undefined
  if (timeframe === 'today') return spanOf('day', now, zone).from
  return new Date(now.getTime() - back[timeframe] * day)
}
