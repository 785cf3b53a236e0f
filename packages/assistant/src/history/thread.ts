/** Owns the conversation as people see it: who said what, what was done and what came of it. Not what a model is shown. */
import {
  CountersignError,
  type RunId,
  type SessionId,
  type Thread,
  type ThreadItem,
  type ThreadMessage,
} from '@countersign/contract'
import type { KernelTables, LimitedDb } from '@countersign/kernel'
import { type Selectable, sql } from 'kysely'
import { type HistoryDb, historyDb } from './tables.ts'

export interface ThreadPage {
  /** Only what is older than this place. */
  readonly before?: number
  readonly limit: number
}

/** The newest page of messages, or the one before a place; each comes with what was done in its turn. */
export async function threadOf(db: LimitedDb, session: SessionId, page: ThreadPage): Promise<Thread> {
  const own = historyDb(db)
  const found = await own
    .selectFrom('sessions')
    .select(['id', 'title', 'archived_to'])
    .where('id', '=', session)
    .executeTakeFirst()
  if (!found) throw noSession(session)
  const rows = await own
    .selectFrom('messages')
    .select(['position', 'run_id', 'turn', 'role', 'text', 'attachments', 'at'])
    .where('session_id', '=', session)
    .$if(page.before !== undefined, (query) => query.where('position', '<', page.before ?? 0))
    .orderBy('position', 'desc')
    .limit(page.limit + 1)
    .execute()
  const messages = rows.slice(0, page.limit).toReversed()
  const runs = [...new Set(messages.map(({ run_id }) => run_id))]
  const [cells, ends] = [await cellsOf(own, runs), await endsOf(own, runs)]
  const items = messages.flatMap((row): ThreadItem[] => {
    const { position, run_id: run } = row
    const archived = position <= found.archived_to
    const said: ThreadMessage = {
      kind: 'message',
      position,
      at: row.at.toISOString(),
      run,
      source: row.role === 'user' ? 'user' : 'agent',
      text: row.text,
      ...(row.attachments.length === 0 ? {} : { attachments: row.attachments }),
      archived,
    }
    const end = ends.get(position)
    return [
      ...(row.text.trim() === '' && row.attachments.length === 0 ? [] : [said]),
      ...(row.role === 'assistant'
        ? (cells.get(`${run}/${row.turn}`) ?? []).map((cell) => cellOf(cell, position))
        : []),
      ...(end ? [errorAt(said, end)] : []),
    ]
  })
  return {
    session,
    title: found.title,
    origin: await originOf(own, session),
    items,
    before: rows.length > page.limit ? (messages[0]?.position ?? null) : null,
  }
}

interface RunEnding {
  readonly at: string
  readonly text: string
}

/** At the place of what was said last; the files are not its own. */
function errorAt({ kind, position, run, archived }: ThreadMessage, end: RunEnding): ThreadMessage {
  return { kind, position, run, archived, source: 'error', ...end }
}

export function noSession(session: string): CountersignError {
  return new CountersignError('not_found', `There is no session ${session}.`, {
    next: 'List them with `countersign session list`.',
  })
}

async function originOf(db: HistoryDb, session: SessionId): Promise<Thread['origin']> {
  const row = await db
    .selectFrom('session_origins')
    .selectAll()
    .where('session_id', '=', session)
    .executeTakeFirst()
  return row
    ? { kind: row.kind, forkedFrom: row.forked_from, upTo: row.up_to, at: row.at.toISOString() }
    : null
}

const cellColumns = [
  'id',
  'run_id',
  'turn',
  'parent_id',
  'tool',
  'headline',
  'outcome',
  'tier',
  'summary',
  'undo',
  'undone_by',
  'ended_at',
] as const
type CellRow = Pick<Selectable<KernelTables['calls']>, (typeof cellColumns)[number]>

async function cellsOf(db: HistoryDb, runs: readonly RunId[]): Promise<ReadonlyMap<string, CellRow[]>> {
  const calls = await db
    .selectFrom('calls')
    .select(cellColumns)
    .where('run_id', '=', sql<RunId>`any(${runs})`)
    .orderBy('run_id')
    .orderBy('turn')
    .orderBy('position')
    .execute()
  const parents = new Set(calls.map(({ parent_id }) => parent_id))
  // A call that only stands for others did nothing itself.
  const shown = calls.filter(({ id, tier }) => tier !== null || !parents.has(id))
  return Map.groupBy(shown, (row) => `${row.run_id}/${row.turn}`)
}

function cellOf(row: CellRow, position: number): ThreadItem {
  return {
    kind: 'activity',
    position,
    at: row.ended_at?.toISOString() ?? null,
    run: row.run_id,
    call: row.id,
    tool: row.tool,
    headline: row.headline,
    outcome: row.outcome,
    tier: row.tier,
    summary: row.summary,
    undoable: row.undo !== null && row.undone_by === null,
  }
}

/** How runs ended that did not end well, by the place of their last message. */
async function endsOf(db: HistoryDb, runs: readonly RunId[]): Promise<ReadonlyMap<number, RunEnding>> {
  const rows = await db
    .selectFrom('runs')
    .innerJoin('messages', 'messages.run_id', 'runs.id')
    .select(['runs.id', 'runs.message', 'runs.ended_at', sql<number>`max(messages.position)`.as('position')])
    .where('runs.id', '=', sql<RunId>`any(${runs})`)
    .where('runs.state', '=', 'stopped')
    .where('runs.reason', '<>', 'completed')
    .where('runs.message', '<>', '')
    .groupBy(['runs.id', 'runs.message', 'runs.ended_at'])
    .execute()
  return new Map(
    rows.map(({ position, ended_at, message }) => [
      position,
      { at: ended_at?.toISOString() ?? '', text: message },
    ]),
  )
}
