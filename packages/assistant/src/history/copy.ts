/**
 * Owns making a session of one that there is, up to a message. Words and labels are copied; what was done becomes text,
 * so that nothing of it can be undone, asked for or run a second time.
 */
import {
  CountersignError,
  type ExportedActivity,
  type ForkSession,
  joinLabels,
  type Label,
  type RunId,
  type SessionId,
  withAttachmentLines,
} from '@countersign/contract'
import type { Actor, EndedMessage } from '@countersign/kernel'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import { forgottenIn, markForgotten } from './forgotten.ts'
import { shareHistory } from './lock.ts'
import { type HistoryDb, historyDb } from './tables.ts'
import { noSession } from './thread.ts'
import { activityText, callActivityOf } from './turns.ts'

export interface CopiedMessage extends Omit<EndedMessage, 'text'> {
  readonly position: number
  readonly run: RunId
  readonly text: string
  readonly activity: readonly ExportedActivity[]
}

export interface MadeSession {
  readonly session: SessionId
  readonly title: string
  readonly messages: number
}

export const mostCopied = 5_000

export async function fork(
  tx: AssistantTransaction,
  from: SessionId,
  wanted: ForkSession,
  { actor, uuid }: { readonly actor: Actor; readonly uuid: () => string },
): Promise<MadeSession> {
  const held = await tx.sessions.lock(from)
  if (!held) throw noSession(from)
  if (held.private)
    throw new CountersignError(
      'conflict',
      'Nothing is kept of a private conversation, so it cannot be copied.',
      {
        next: 'Begin a conversation that is not private.',
      },
    )
  const db = historyDb(tx.db)
  await shareHistory(db, tx.operator)
  const place = wanted.before ? await placeBefore(db, from, wanted.before) : wanted.upTo
  const messages = await copiedMessages(db, from, place)
  const last = messages.at(-1)
  if (!wanted.before && (!last || (wanted.upTo !== undefined && last.position !== wanted.upTo)))
    throw new CountersignError('not_found', `There is no message ${wanted.upTo ?? ''} in ${from}.`, {
      next: `See the places of its messages with \`countersign session thread ${from}\`.`,
    })
  const origin = await db
    .selectFrom('runs')
    .select(['agent', 'goal'])
    .where('id', '=', wanted.before ?? last?.run ?? ('' as RunId))
    .executeTakeFirstOrThrow()
  const title = wanted.title ?? `Fork of ${held.title}`.slice(0, 200)
  const { session, run, positions } = await tx.sessions.importEnded(
    {
      title,
      // Words are worth what the session was worth when they were said, and no more.
      label: [...messages, ...(wanted.simulate ? await runsOf(db, from) : [])].reduce(
        (joined, { label }) => joinLabels(joined, label),
        held.label,
      ),
      work: held.work,
      ...origin,
      messages: messages.map(endedMessageOf),
      archived: messages.filter(({ position }) => position <= held.archivedTo).length,
      by: actor.id,
      because: `Forked from ${from}.`,
    },
    uuid,
  )
  // What was forgotten there stays forgotten here.
  const forgotten = await forgottenIn(db, from)
  await markForgotten(
    db,
    tx.operator,
    messages.flatMap(({ position }, place) => {
      const copy = positions[place]
      return copy !== undefined && forgotten.has(position) ? [{ session, position: copy }] : []
    }),
  )
  await db
    .insertInto('session_origins')
    .values({
      operator_id: tx.operator,
      session_id: session,
      kind: 'fork',
      forked_from: from,
      up_to: last?.position ?? null,
      simulated: wanted.simulate ?? false,
      at: tx.now,
    })
    .execute()
  tx.record({
    type: 'session.forked',
    actor,
    session,
    run,
    data: {
      from,
      upTo: last?.position ?? 0,
      messages: messages.length,
      ...(wanted.simulate ? { simulated: true } : {}),
    },
  })
  return { session, title, messages: messages.length }
}

/** A simulation answers with what these brought, so it is worth no more than any of them. */
function runsOf(db: HistoryDb, session: SessionId): Promise<{ label: Label }[]> {
  return db.selectFrom('runs').select('label').where('session_id', '=', session).execute()
}

/** The place of the last message before the run's own. */
async function placeBefore(db: HistoryDb, session: SessionId, run: RunId): Promise<number> {
  const first = await db
    .selectFrom('messages')
    .select((select) => select.fn.min('position').as('position'))
    .where('session_id', '=', session)
    .where('run_id', '=', run)
    .executeTakeFirst()
  if (first?.position == null)
    throw new CountersignError('not_found', `There is no run ${run} with words in ${session}.`, {
      next: 'See its runs with `countersign run list --session`.',
    })
  return Number(first.position) - 1
}

/** The words of a session in order, with what was done in each turn. */
export async function copiedMessages(
  db: HistoryDb,
  session: SessionId,
  upTo?: number,
): Promise<CopiedMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['position', 'run_id', 'turn', 'role', 'text', 'attachments', 'label', 'at'])
    .where('session_id', '=', session)
    .$if(upTo !== undefined, (query) => query.where('position', '<=', upTo ?? 0))
    .orderBy('position')
    .limit(mostCopied + 1)
    .execute()
  if (rows.length > mostCopied)
    throw new CountersignError('limit_reached', `The session has more than ${mostCopied} messages.`, {
      next: 'Copy up to an earlier message.',
    })
  const runs = [...new Set(rows.map(({ run_id }) => run_id))]
  const worth = await worthOf(db, runs)
  const byTurn = Map.groupBy(await callActivityOf(db, runs), (call) => `${call.run_id}/${call.turn}`)
  return rows.map(({ position, run_id, turn, role, text, attachments, label, at }) => {
    const done = role === 'assistant' ? (byTurn.get(`${run_id}/${turn}`) ?? []) : []
    return {
      position,
      run: run_id,
      role,
      // A copy has the words: what the files hold is in the workspace, for whoever reads them.
      text: withAttachmentLines(text, attachments),
      // What came of a call was not there yet when the words before it were said.
      label: done.length > 0 ? joinLabels(label, worth.get(run_id) ?? label) : label,
      at,
      activity: done.map(({ tool, headline, outcome, summary }) => ({
        tool: tool.slice(0, 200),
        headline: headline.slice(0, 2_000),
        outcome: outcome as ExportedActivity['outcome'],
        summary: summary.slice(0, 10_000),
      })),
    }
  })
}

/** What each run has become worth, also one that is not over. */
async function worthOf(db: HistoryDb, runs: readonly RunId[]): Promise<ReadonlyMap<RunId, Label>> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'label'])
    .where('id', '=', sql<RunId>`any(${runs})`)
    .execute()
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/** What was done stands in brackets after what was said. */
export function endedMessageOf(message: Omit<CopiedMessage, 'position' | 'run'>): EndedMessage {
  const { role, text, label, at, activity } = message
  const done = activity.map((each) => `[${activityText(each)}]`)
  return { role, text: [...(text === '' ? [] : [text]), ...done].join('\n'), label, at }
}
