/** A setting for tests: a real database, a clock that stands where the test put it, and runs made by hand. */
import { randomUUIDv7 } from 'node:crypto'
import {
  type AgentTask,
  type Goal,
  goalData,
  idFrom,
  type JsonObject,
  type Label,
  newGoal,
  operatorLabel,
  type RunId,
  type SessionId,
  type StopReason,
  taskData,
} from '@countersign/contract'
import { type EntryDraft, type InboundMessage } from '@countersign/kernel'
import { openIdleKernel, openOwner } from '@countersign/kernel/testing'
import { sql } from 'kysely'
import { startTestDatabase } from '../../../../../tests/harness/src/postgres.ts'
import type { AssistantContext, AssistantTransaction } from '../../assistant-context.ts'
import { outboxMigration } from '../../outbox/migration.ts'

export interface MadeRun {
  readonly id: RunId
  readonly session: SessionId
}

export interface TestRunFacts {
  readonly state?: 'running' | 'parked' | 'stopped'
  readonly reason?: StopReason
  readonly agent?: string
  readonly goal?: string | null
  readonly about?: string | null
  readonly parent?: RunId | null
  readonly session?: SessionId
  readonly unattended?: boolean
  readonly label?: Label
  readonly at?: Date
}

export type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>

export async function openTestDatabase() {
  const database = await startTestDatabase()
  const world = {
    now: new Date('2026-03-01T12:00:00.000Z'),
    operator: idFrom('op', randomUUIDv7()),
  }
  const clock = () => world.now
  const kernel = await openIdleKernel({
    connection: database.connection,
    migrations: [outboxMigration],
    clock,
  })
  const { records } = kernel
  const owner = openOwner(database.connection, clock)
  const entries: EntryDraft[] = []
  const posted: InboundMessage[] = []
  const stopped: RunId[] = []
  const held = new Set<string>()

  function context(): AssistantContext {
    return {
      operator: world.operator,
      records: {
        ...records,
        change: (operator, work) =>
          records.change(operator, (unit) =>
            work({
              ...unit,
              record: (entry) => {
                entries.push(entry)
                unit.record(entry)
              },
            }),
          ),
      },
      clock,
      uuid: randomUUIDv7,
      zone: 'UTC',
      onProblem: (problem) => {
        throw problem
      },
    }
  }

  const act = <T>(work: (tx: AssistantTransaction) => Promise<T>) =>
    context().records.change(world.operator, work)
  return Object.assign(world, {
    entries,
    posted,
    stopped,
    held,
    records,
    context,
    /** Keeps what is posted once the transaction is committed, as the outbox does. */
    post: (tx: AssistantTransaction, message: InboundMessage) => {
      tx.afterCommit(() => {
        if (!posted.some(({ key }) => key === message.key)) posted.push(message)
      })
      return Promise.resolve()
    },
    stopRun: (run: RunId) => {
      stopped.push(run)
      return Promise.resolve()
    },
    async hold(tx: AssistantTransaction, ids: readonly string[], isHeld: boolean) {
      for (const id of ids) {
        if (isHeld) held.add(id)
        else held.delete(id)
      }
      await (isHeld ? tx.holds.hold(ids) : tx.holds.release(ids))
    },
    /** Another operator, and nothing of what was before. */
    async begin() {
      world.operator = idFrom('op', randomUUIDv7())
      world.now = new Date('2026-03-01T12:00:00.000Z')
      for (const list of [entries, posted, stopped]) list.length = 0
      held.clear()
      const { operator } = world
      await owner.within(operator, ({ db }) =>
        sql`insert into operators (id, created_at) values (${operator}, now())`.execute(db),
      )
    },
    act,
    async run(facts: TestRunFacts = {}): Promise<MadeRun> {
      const { operator } = world
      const at = facts.at ?? world.now
      const session = facts.session ?? idFrom('ses', randomUUIDv7())
      const [id, input] = [idFrom('run', randomUUIDv7()), idFrom('inp', randomUUIDv7())]
      const label = JSON.stringify(facts.label ?? operatorLabel)
      const state = facts.state ?? 'running'
      await owner.within(operator, async ({ db }) => {
        await sql`insert into sessions (operator_id, id, title, created_at, updated_at, label)
          values (${operator}, ${session}, '', ${at}, ${at}, ${label}) on conflict do nothing`.execute(db)
        await sql`insert into inputs (operator_id, id, session_id, key, mode, text, requester, state, created_at)
          values (${operator}, ${input}, ${session}, ${input}, 'queue', 'x', '{"kind":"operator","id":"laptop"}', 'done',
            ${at})`.execute(db)
        await sql`insert into runs (operator_id, id, session_id, input_id, kind, state, reason, label, started_at, ended_at,
            agent, goal, about, parent, unattended)
          values (${operator}, ${id}, ${session}, ${input}, 'agent', ${state}, ${facts.reason ?? null}, ${label}, ${at},
            ${state === 'stopped' ? at : null}, ${facts.agent ?? 'assistant'}, ${facts.goal ?? null}, ${facts.about ?? null},
            ${facts.parent ?? null}, ${facts.unattended ?? false})`.execute(db)
      })
      return { id, session }
    },
    async reply({ id, session }: MadeRun, text: string, at: Date = world.now): Promise<void> {
      await owner.within(world.operator, ({ db }) =>
        sql`insert into messages (operator_id, session_id, run_id, turn, role, text, label, at)
          values (${world.operator}, ${session}, ${id}, 1, 'assistant', ${text}, ${JSON.stringify(operatorLabel)}, ${at})`.execute(
          db,
        ),
      )
    },
    async setRun({ id }: MadeRun, state: 'running' | 'parked' | 'stopped', reason: StopReason | null = null) {
      await owner.within(world.operator, ({ db }) =>
        sql`update runs set state = ${state}, reason = ${reason}, ended_at = ${state === 'stopped' ? world.now : null}
          where id = ${id}`.execute(db),
      )
    },
    /** With the name of a server it is that which asks. */
    async ask({ id, session }: MadeRun, text: string, server?: string): Promise<void> {
      const asked = server === undefined ? null : JSON.stringify({ server, tool: 'book', form: {} })
      const question = idFrom('q', randomUUIDv7())
      const call = idFrom('call', randomUUIDv7())
      await owner.within(world.operator, async ({ db }) => {
        await sql`insert into calls (operator_id, id, session_id, run_id, turn, position, model_id, model_tool, raw_args, tool,
            args, headline, state) values (${world.operator}, ${call}, ${session}, ${id}, 1, 0, 'm', 'ask_operator', '{}',
            'ask_operator', '{}', 'Ask', 'asked')`.execute(db)
        await sql`insert into questions (operator_id, id, kind, call_id, run_id, session_id, text, choices, state, server, created_at)
          values (${world.operator}, ${question}, ${asked ? 'server' : 'operator'}, ${call}, ${id}, ${session}, ${text}, '[]',
            'open', ${asked}, ${world.now})`.execute(db)
      })
    },
    async goal(given: Partial<Goal> = {}): Promise<string> {
      const id = `goal_${randomUUIDv7().replaceAll('-', '')}`
      const data = { ...newGoal({ title: 'A goal' }, idFrom('ses', randomUUIDv7())), ...given }
      await act(({ records: own }) => own.insert('goals', id, goalData(data), null))
      return id
    },
    async task(
      given: Partial<AgentTask> & Pick<AgentTask, 'parent'>,
      label: Label | null = null,
    ): Promise<string> {
      const id = `atask_${randomUUIDv7().replaceAll('-', '')}`
      const data: AgentTask = {
        title: 'Hotels',
        instructions: 'Find three.',
        goal: null,
        session: idFrom('ses', randomUUIDv7()),
        run: null,
        status: 'active',
        result: null,
        problem: null,
        attempts: 1,
        pausedAt: null,
        nextRetryAt: null,
        endedAt: null,
        reported: false,
        reports: 0,
        ...given,
      }
      await act(({ records: own }) => own.insert('agent_tasks', id, taskData(data), label))
      return id
    },
    data: async (collection: string, id: string): Promise<JsonObject | undefined> =>
      records.read(world.operator, async (unit) => (await unit.records.get(collection, id))?.data),
    async close() {
      await owner.close()
      await kernel.close()
      await database.stop()
    },
  })
}
