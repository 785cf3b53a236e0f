/** Owns what surfaces read: lists and details, straight from the tables, changing nothing. */
import {
  type ApprovalView,
  CountersignError,
  type GrantView,
  type MessageView,
  type OperatorId,
  type QuestionView,
  type RunDetail,
  type RunId,
  type RunView,
  type SessionDetail,
  type SessionId,
  type SessionView,
} from '@countersign/contract'
import {
  type KernelTables,
  type LimitedDb,
  type Reader,
  type RunRow,
  viewOfApproval,
  viewOfCall,
  viewOfGrant,
  viewOfQuestion,
} from '@countersign/kernel'
import { type Selectable, sql } from 'kysely'
import { createCosts } from './costs.ts'
import { runEvents, sessionEvents } from './events.ts'
import { createGrantViews } from './grants.ts'
import { createDailyViews } from './oversight-days.ts'
import { recentCalls } from './recent-calls.ts'
import { noFacts, type RunFacts, runFacts } from './run-facts.ts'
import { sessionStatistics } from './session-statistics.ts'
import { createShortIds } from './short-ids.ts'
import { createWhy } from './why.ts'

const page = 200

const sessionColumns = [
  'id',
  'title',
  'created_at',
  'updated_at',
  'active_run_id',
  'pinned_at',
  'hidden_at',
  'work',
  'metadata',
  'extra_tools',
  'private',
] as const

export type Views = ReturnType<typeof createViews>

export function createViews(options: {
  readonly read: Reader
  readonly clock: () => Date
  readonly redact: (text: string) => string
}) {
  const { read } = options

  function sessions(operator: OperatorId, only?: SessionId): Promise<SessionView[]> {
    return read(operator, async (db) => {
      const rows = await db
        .selectFrom('sessions')
        .select(sessionColumns)
        .where('removed_at', 'is', null)
        .select((select) =>
          select
            .selectFrom('inputs')
            .select(sql<number>`count(*)`.as('queued'))
            .whereRef('inputs.session_id', '=', 'sessions.id')
            .where('inputs.state', '=', 'queued')
            .as('queued'),
        )
        .$if(only !== undefined, (query) => query.where('id', '=', only as SessionId))
        .orderBy('updated_at', 'desc')
        .limit(page)
        .execute()
      return rows.map(sessionView)
    })
  }

  async function session(operator: OperatorId, id: SessionId): Promise<SessionDetail> {
    const [found] = await sessions(operator, id)
    if (!found) throw new CountersignError('not_found', `There is no session ${id}.`)
    // Before the messages, so that a run that has ended is never shown without its last words.
    const itsRuns = await runs(operator, { session: id })
    const messages = await read(operator, (db) =>
      db
        .selectFrom('messages')
        .select(['at', 'run_id', 'role', 'text', 'attachments', 'metadata'])
        .where('session_id', '=', id)
        .orderBy('position', 'desc')
        .limit(page)
        .execute(),
    )
    return {
      session: found,
      statistics: await read(operator, (db) => sessionStatistics(db, found)),
      messages: messages.toReversed().map(messageView),
      runs: itsRuns,
    }
  }

  function runs(operator: OperatorId, filter: { session?: SessionId; state?: string }): Promise<RunView[]> {
    return read(operator, async (db) => {
      const rows = await db
        .selectFrom('runs')
        .selectAll()
        .$if(filter.session !== undefined, (query) =>
          query.where('session_id', '=', filter.session as SessionId),
        )
        .$if(filter.state !== undefined, (query) =>
          query.where('state', '=', filter.state as RunRow['state']),
        )
        .orderBy('id', 'desc')
        .limit(page)
        .execute()
      const ids = rows.map((row) => row.id)
      const texts = await repliesOf(db, ids)
      const facts = await runFacts(db, ids, options.clock())
      return rows.map((row) => viewOfRun(row, texts.get(row.id) ?? '', facts.get(row.id)))
    })
  }

  async function run(operator: OperatorId, id: RunId): Promise<RunDetail> {
    return read(operator, async (db) => {
      const row = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()
      if (!row) throw new CountersignError('not_found', `There is no run ${id}.`)
      const calls = await db
        .selectFrom('calls')
        .selectAll()
        .where('run_id', '=', id)
        .orderBy('turn')
        .orderBy('position')
        .execute()
      const approvals = await db
        .selectFrom('approvals')
        .selectAll()
        .where('run_id', '=', id)
        .orderBy('id')
        .execute()
      const texts = await repliesOf(db, [id])
      const reasoning = await reasoningOf(db, id)
      const facts = await runFacts(db, [id], options.clock())
      return {
        run: viewOfRun(row, texts.get(id) ?? '', facts.get(id)),
        calls: calls.map((row) => viewOfCall(row, options.redact)),
        approvals: approvals.map(viewOfApproval),
        reasoning,
      }
    })
  }

  function approvals(operator: OperatorId, filter: { state?: string; run?: RunId }): Promise<ApprovalView[]> {
    return read(operator, async (db) => {
      const rows = await db
        .selectFrom('approvals')
        .selectAll()
        .$if(filter.state !== undefined, (query) =>
          query.where('state', '=', filter.state as ApprovalView['state']),
        )
        .$if(filter.run !== undefined, (query) => query.where('run_id', '=', filter.run as RunId))
        .orderBy('id', 'desc')
        .limit(page)
        .execute()
      return rows.map(viewOfApproval)
    })
  }

  function questions(operator: OperatorId): Promise<QuestionView[]> {
    return read(operator, async (db) => {
      const rows = await db
        .selectFrom('questions')
        .selectAll()
        .where('state', '=', 'open')
        .orderBy('id')
        .limit(page)
        .execute()
      return rows.map(viewOfQuestion)
    })
  }

  function grants(operator: OperatorId): Promise<GrantView[]> {
    return read(operator, async (db) => {
      const rows = await db.selectFrom('grants').selectAll().orderBy('id', 'desc').limit(page).execute()
      return rows.map((row) => viewOfGrant(row, options.clock()))
    })
  }

  function counts(operator: OperatorId) {
    return read(operator, async (db) => {
      const row = await db
        .selectFrom('operators')
        .select([
          'paused_at',
          'paused_by',
          'held_at',
          'held_because',
          'event_seq',
          'ledger_alarm_at',
          'ledger_size',
          'autonomy',
          'policy_hash',
        ])
        .select([
          sql<number>`(select count(*) from runs where state = 'running')`.as('running'),
          sql<number>`(select count(*) from runs where state = 'parked')`.as('parked'),
          sql<number>`(select count(*) from inputs where state = 'queued')`.as('queued'),
          sql<number>`(select count(*) from approvals where state = 'pending')`.as('approvals'),
          sql<number>`(select count(*) from questions where state = 'open')`.as('questions'),
          sql<number>`(select coalesce(max(size), 0) from checkpoints)`.as('signed'),
        ])
        .executeTakeFirstOrThrow()
      return row
    })
  }

  return {
    sessions,
    session,
    runs,
    run,
    approvals,
    questions,
    grants,
    counts,
    ...createCosts(read),
    ...createShortIds(read),
    ...createGrantViews(read, options.clock),
    goalOf: (operator: OperatorId, id: RunId) =>
      read(operator, async (db) => {
        const row = await db.selectFrom('runs').select('goal').where('id', '=', id).executeTakeFirst()
        return row?.goal ?? null
      }),
    sessionEvents: (
      operator: OperatorId,
      session: SessionId,
      part: { readonly before?: number | undefined; readonly limit: number },
    ) => sessionEvents(read, operator, session, part),
    runEvents: (operator: OperatorId, run: RunId, part: { readonly since: number; readonly limit: number }) =>
      runEvents(read, operator, run, part),
    why: createWhy(read),
    recentCalls: (operator: OperatorId, since: Date) => recentCalls(read, operator, since),
    ...createDailyViews(read, options.clock),
  }
}

function messageView(
  row: Pick<
    Selectable<KernelTables['messages']>,
    'at' | 'run_id' | 'role' | 'text' | 'attachments' | 'metadata'
  >,
): MessageView {
  return {
    at: row.at.toISOString(),
    run: row.run_id,
    role: row.role === 'user' ? 'operator' : 'assistant',
    text: row.text,
    ...(row.attachments.length === 0 ? {} : { attachments: row.attachments }),
    ...(Object.keys(row.metadata).length === 0 ? {} : { metadata: { ...row.metadata } }),
  }
}

async function repliesOf(db: LimitedDb, ids: readonly RunId[]): Promise<Map<RunId, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages')
    .select(['run_id', 'text'])
    .distinctOn('run_id')
    .where('run_id', 'in', ids)
    .where('role', '=', 'assistant')
    .orderBy('run_id')
    .orderBy('position', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.run_id, row.text]))
}

function reasoningOf(db: LimitedDb, id: RunId): Promise<{ turn: number; text: string }[]> {
  return db
    .selectFrom('messages')
    .select(['turn', 'reasoning as text'])
    .where('run_id', '=', id)
    .where('reasoning', 'is not', null)
    .$narrowType<{ text: string }>()
    .orderBy('position')
    .limit(page)
    .execute()
}

function viewOfRun(row: RunRow, text: string, facts: RunFacts = noFacts): RunView {
  return {
    id: row.id,
    session: row.session_id,
    input: row.input_id,
    kind: row.kind,
    state: row.state,
    parkedOn: row.parked_on,
    reason: row.reason,
    message: row.message,
    turns: row.turn,
    ...(row.most_turns === null ? {} : { mostTurns: row.most_turns }),
    segments: row.segment,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    detailsRemovedAt: row.details_removed_at?.toISOString() ?? null,
    retry: row.parked_on === 'retry' ? row.retry : null,
    text,
    agent: row.agent,
    goal: row.goal,
    schedule: row.schedule,
    ...facts,
    // While it works, a proposed call is only on its way.
    callsWaiting: row.state === 'parked' ? facts.callsWaiting : 0,
  }
}

function sessionView(row: {
  readonly id: SessionId
  readonly title: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly active_run_id: SessionView['activeRun']
  readonly queued: number | null
  readonly pinned_at: Date | null
  readonly hidden_at: Date | null
  readonly work: { readonly model?: string | null } | null
  readonly metadata: Readonly<Record<string, string>>
  readonly extra_tools: readonly string[]
  readonly private: boolean
}): SessionView {
  return {
    id: row.id,
    title: row.title,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    activeRun: row.active_run_id,
    queued: row.queued ?? 0,
    pinned: row.pinned_at !== null,
    hidden: row.hidden_at !== null,
    model: row.work?.model ?? null,
    metadata: { ...row.metadata },
    extraTools: [...row.extra_tools],
    private: row.private,
  }
}
