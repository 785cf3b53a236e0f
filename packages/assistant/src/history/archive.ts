/**
 * Owns when a stretch of a session becomes an episode: after a silence, at the end of a feed, or when it is asked for.
 * The messages stay; a model is no longer shown them. Refuses while work goes on in the session, and archives once,
 * however many processes try.
 */
import { conversationWindow } from '@countersign/agent'
import {
  type ArchiveReason,
  type OperatorId,
  type RunId,
  readerAgent,
  type SessionId,
} from '@countersign/contract'
import type { Actor, RunRow } from '@countersign/kernel'
import { sql } from 'kysely'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { forgottenIn } from './forgotten.ts'
import { createImprover } from './improve.ts'
import { shareHistory } from './lock.ts'
import { wordsIn } from './search-words.ts'
import { fallbackSummary, type Summarise } from './summary.ts'
import { historyDb } from './tables.ts'
import type { ConversationLine } from './turn.ts'
import { readStretch } from './turns.ts'

export interface ArchiveOptions {
  readonly context: AssistantContext
  /** The model for summaries. */
  readonly summarise: Summarise
  /** How long nothing is said before a conversation is over. */
  readonly silenceMs?: number
}

export type ArchiveResult =
  | { readonly kind: 'archived'; readonly episode: string; readonly messages: number }
  /** There is nothing that a model is still shown. */
  | { readonly kind: 'nothing' }
  /** Work goes on in the session. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'missing' }

export interface ArchiveOrder {
  readonly session: SessionId
  /** The messages before this place, or all. */
  readonly before: number | 'all'
  readonly reason: ArchiveReason
  /** The run that is just beginning or ending; any other stands in the way. */
  readonly except?: RunId
  /** Only if the session was last used before this. */
  readonly silentSince?: Date
  readonly actor?: Actor
}

export type Archive = ReturnType<typeof createArchive>

const sessionsAtOnce = 50
/** Shorter ones say in their fallback all that there is to say. */
const worthAModel = 3
/** Whoever is given one piece of work has told what came of it where it was asked for. */
const tellsElsewhere: readonly string[] = ['task', 'plan', readerAgent]
const gateway: Actor = { kind: 'gateway', id: 'gateway' }

export function createArchive(options: ArchiveOptions) {
  const { context } = options
  const silenceMs = options.silenceMs ?? conversationWindow.quietMs
  const improver = createImprover(options)

  /** Within a transaction of somebody else, as the one that ends a feed. */
  async function archiveIn(tx: AssistantTransaction, order: ArchiveOrder): Promise<ArchiveResult> {
    const held = await tx.sessions.lock(order.session)
    if (!held) return { kind: 'missing' }
    // No summary is kept of it either: it is erased when it ends.
    if (held.private) return { kind: 'nothing' }
    if (order.silentSince && held.updatedAt > order.silentSince) return { kind: 'busy' }
    if (await tx.sessions.isBusy(held.id, order.except ?? null)) return { kind: 'busy' }
    const db = historyDb(tx.db)
    await shareHistory(db, tx.operator)
    const to = order.before === 'all' ? Number.MAX_SAFE_INTEGER : order.before - 1
    const stretch = await readStretch(db, held.id, { after: held.archivedTo, to })
    if (!stretch) return { kind: 'nothing' }
    const left = await forgottenIn(db, held.id)
    const turns = stretch.turns.filter(({ position }) => !left.has(position))
    const summary = fallbackSummary(turns, stretch)
    const episode = `epi_${context.uuid().replaceAll('-', '')}`
    const wanted =
      stretch.messages >= worthAModel && turns.length > 0 && !tellsElsewhere.includes(stretch.agent)
    await db
      .insertInto('episodes')
      .values({
        operator_id: tx.operator,
        id: episode,
        session_id: held.id,
        agent: stretch.agent,
        goal: stretch.goal,
        from_position: stretch.from,
        to_position: stretch.to,
        summary,
        summarised_by: 'fallback',
        turns: JSON.stringify(turns),
        words: wordsIn(summary, turns),
        message_count: stretch.messages,
        token_count: stretch.tokens,
        reason: order.reason,
        started_at: stretch.startedAt,
        ended_at: stretch.endedAt,
        archived_at: tx.now,
        label: JSON.stringify(stretch.label),
        forgotten: JSON.stringify(leftOut(stretch.turns, left)),
        due_at: wanted ? tx.now : null,
      })
      .execute()
    await tx.sessions.archiveTo(held.id, stretch.to)
    tx.record({
      type: 'session.archived',
      actor: order.actor ?? gateway,
      session: held.id,
      data: {
        episode,
        reason: order.reason,
        messages: stretch.messages,
        from: stretch.from,
        to: stretch.to,
      },
    })
    if (wanted) tx.afterCommit(improver.start)
    return { kind: 'archived', episode, messages: stretch.messages }
  }

  async function archiveBefore(
    operator: OperatorId,
    session: SessionId,
    before: number | 'all',
    reason: ArchiveReason,
    more: Pick<ArchiveOrder, 'except' | 'silentSince' | 'actor'> = {},
  ): Promise<ArchiveResult & { readonly ledger: number }> {
    const { value, ledger } = await context.records.change(operator, (tx) =>
      archiveIn(tx, { session, before, reason, ...more }),
    )
    return { ...value, ledger }
  }

  /** At the beginning of a run: what was said before a long silence is another conversation. Asks no model. */
  async function beforeRun(run: Pick<RunRow, 'id' | 'session_id' | 'started_at'>): Promise<ArchiveResult> {
    const newest = await context.records.shared(context.operator, ({ db }) => newestBefore(db, run))
    if (!newest || run.started_at.getTime() - newest.at.getTime() < silenceMs) return { kind: 'nothing' }
    return archiveBefore(context.operator, run.session_id, newest.position + 1, 'session_timeout', {
      except: run.id,
    })
  }

  /** Archives what has long been silent, and asks for the summaries that are still to be had. Says how many ended. */
  async function sweep(now: Date): Promise<number> {
    const silentSince = new Date(now.getTime() - silenceMs)
    const silent = await context.records.single(context.operator, ({ db }) =>
      db
        .selectFrom('sessions')
        .select('id')
        .where('active_run_id', 'is', null)
        .where('private', '=', false)
        .where('updated_at', '<=', silentSince)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('messages')
              .select('position')
              .whereRef('messages.session_id', '=', 'sessions.id')
              .whereRef('messages.position', '>', 'sessions.archived_to'),
          ),
        )
        .orderBy('updated_at')
        .limit(sessionsAtOnce)
        .execute(),
    )
    let ended = 0
    for (const { id } of silent) {
      const { kind } = await archiveBefore(context.operator, id, 'all', 'session_timeout', { silentSince })
      if (kind === 'archived') ended += 1
    }
    improver.start()
    return ended
  }

  return {
    archiveIn,
    archiveBefore,
    beforeRun,
    sweep,
    /** Asks the model for better summaries now, and says how many it gave. */
    improve: improver.improve,
    /** Resolves when nothing is under way in the background. */
    settled: improver.settled,
  }
}

/** The last thing that was said before the run, and when the silence after it began. */
async function newestBefore(
  db: AssistantTransaction['db'],
  run: Pick<RunRow, 'id' | 'session_id'>,
): Promise<{ position: number; at: Date } | undefined> {
  return db
    .selectFrom('messages')
    .innerJoin('runs', 'runs.id', 'messages.run_id')
    .select(['messages.position', sql<Date>`greatest(messages.at, runs.ended_at)`.as('at')])
    .where('messages.session_id', '=', run.session_id)
    .where('messages.position', '>', (archived) =>
      archived.selectFrom('sessions').select('archived_to').where('id', '=', run.session_id),
    )
    .where('messages.run_id', '<>', run.id)
    .orderBy('messages.position', 'desc')
    .limit(1)
    .executeTakeFirst()
}

function leftOut(turns: readonly ConversationLine[], left: ReadonlySet<number>): number[] {
  return [...new Set(turns.map(({ position }) => position))].filter((position) => left.has(position))
}
