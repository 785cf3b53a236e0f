/** A setting for tests: a real database, a clock that stands where the test put it, and access to the rows. */
import { randomUUIDv7 } from 'node:crypto'
import { type InputId, idFrom, type OperatorId, operatorLabel, type Requester } from '@countersign/contract'
import type { Migration } from '@countersign/kernel'
import { openIdleKernel, openOwner } from '@countersign/kernel/testing'
import { type RawBuilder, sql } from 'kysely'
import { startTestDatabase } from '../../../../../tests/harness/src/postgres.ts'
import type { AssistantContext } from '../../assistant-context.ts'
import { schedulesMigration } from '../migration.ts'

export type ScheduleTestDatabase = Awaited<ReturnType<typeof openScheduleDatabase>>

export async function openScheduleDatabase(zone: string, more: readonly Migration[] = []) {
  const database = await startTestDatabase()
  const problem = (error: unknown) => {
    throw error
  }
  const testDatabase = { now: new Date(0) }
  const clock = () => testDatabase.now
  const kernel = await openIdleKernel({
    connection: database.connection,
    migrations: [schedulesMigration, ...more],
    clock,
  })
  const { records } = kernel
  const owner = openOwner(database.connection, clock)
  const query = (operator: OperatorId, text: RawBuilder<unknown>) =>
    owner.within(operator, ({ db }) => text.execute(db))
  const insertInput = async (
    operator: OperatorId,
    key: string,
    text: string,
    work: object | null,
    requester: Requester = { kind: 'operator', id: 'laptop' },
  ) => {
    const session = idFrom('ses', randomUUIDv7())
    const input = idFrom('inp', randomUUIDv7())
    const label = JSON.stringify(operatorLabel)
    await query(
      operator,
      sql`insert into sessions (operator_id, id, title, created_at, updated_at, label)
        values (${operator}, ${session}, '', now(), now(), ${label})`,
    )
    await query(
      operator,
      sql`insert into inputs (operator_id, id, session_id, key, mode, text, requester, state, created_at, work)
        values (${operator}, ${input}, ${session}, ${key}, 'queue', ${text}, ${JSON.stringify(requester)},
          'queued', now(), ${work && JSON.stringify(work)})`,
    )
    return { session, input }
  }
  return Object.assign(testDatabase, {
    context: (operator: OperatorId): AssistantContext => ({
      operator,
      records,
      clock: () => testDatabase.now,
      uuid: randomUUIDv7,
      zone,
      onProblem: problem,
    }),
    query,
    async newOperator(): Promise<OperatorId> {
      const operator = idFrom('op', randomUUIDv7())
      await query(operator, sql`insert into operators (id, created_at) values (${operator}, now())`)
      return operator
    },
    async say(
      operator: OperatorId,
      text: string,
      work: object | null = null,
      requester?: Requester,
    ): Promise<void> {
      const { input } = await insertInput(operator, randomUUIDv7(), text, work, requester)
      const actor = { kind: 'operator', id: 'laptop' } as const
      await records.change(operator, async (unit) =>
        unit.record({ type: 'input.admitted', actor, data: { input, text } }),
      )
    },
    async admitted(operator: OperatorId, key: string): Promise<InputId> {
      return (await insertInput(operator, key, '', null)).input
    },
    async runOf(operator: OperatorId, schedule: string): Promise<string> {
      const { session, input } = await insertInput(operator, randomUUIDv7(), '', null)
      const run = idFrom('run', randomUUIDv7())
      await query(
        operator,
        sql`insert into runs (operator_id, id, session_id, input_id, kind, state, label, started_at, schedule)
          values (${operator}, ${run}, ${session}, ${input}, 'agent', 'running', ${JSON.stringify(operatorLabel)}, now(),
            ${schedule})`,
      )
      return run
    },
    async spend(operator: OperatorId, run: string, dollars: number): Promise<void> {
      await query(
        operator,
        sql`insert into model_calls (operator_id, id, run_id, agent, unattended, purpose, provider, model, state, reserved,
            cost, counted, started_at)
          values (${operator}, ${idFrom('mc', randomUUIDv7())}, ${run}, 'assistant', true, 'chat', 'p', 'm', 'settled', 0,
            ${dollars * 1e9}, '[]', now())`,
      )
    },
    async record(
      operator: OperatorId,
      entry: { type: string; schedule: string; run?: string },
    ): Promise<void> {
      const { type, schedule, run } = entry
      await records.change(operator, async (unit) =>
        unit.record({
          type,
          actor: { kind: 'gateway', id: 'gateway' },
          ...(run ? { run: run as ReturnType<typeof idFrom<'run'>> } : {}),
          data: { schedule },
        }),
      )
    },
    entries: (operator: OperatorId) =>
      kernel.readOnly(operator, (db) => db.selectFrom('ledger_entries').select(['type', 'body']).execute()),
    async close(): Promise<void> {
      await owner.close()
      await kernel.close()
      await database.stop()
    },
  })
}
