/** Owns a house for tests of memory: a real database with a kernel, and runs with words and calls that are simply there. */
import { randomUUIDv7 } from 'node:crypto'
import {
  idFrom,
  type Label,
  operatorLabel,
  type Requester,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import { type Kernel } from '@countersign/kernel'
import { type Owner, type OwnerUnit, openIdleKernel, openOwner } from '@countersign/kernel/testing'
import { sql } from 'kysely'
import { startTestDatabase } from '../../../../../tests/harness/src/postgres.ts'
import type { AssistantContext, AssistantTransaction } from '../../assistant-context.ts'
import { recallMigration } from '../recall/migration.ts'

export interface SeededRun {
  /** What was written to it; the operator's own unless it says otherwise. */
  readonly words?: readonly (string | { text: string; requester?: Requester; label?: Label })[]
  readonly calls?: readonly SeededMemoryCall[]
  readonly label?: Label
  readonly agent?: string
  readonly unattended?: boolean
}

export interface SeededMemoryCall {
  readonly tool: string
  readonly args?: string
  readonly result?: string
  readonly undo?: string
  readonly state?: 'ended' | 'intended'
}

export interface TestMemories {
  readonly context: AssistantContext
  readonly kernel: Kernel
  /** Lays out rows of the kernel. */
  readonly owner: Owner
  now: Date
  seed(run: SeededRun): Promise<{ session: SessionId; run: RunId }>
  change<T>(work: (tx: AssistantTransaction) => Promise<T>): Promise<T>
  ledger(type: string): Promise<{ actor: unknown; data: Record<string, unknown> }[]>
  /** Everything that is written in these tables, as one text. */
  dump(...tables: readonly string[]): Promise<string>
  close(): Promise<void>
}

export async function openTestMemories(): Promise<TestMemories> {
  const database = await startTestDatabase()
  const operator = idFrom('op', randomUUIDv7())
  const testMemories = { now: new Date('2026-03-01T12:00:00.000Z') } as TestMemories
  const kernel = await openIdleKernel({
    connection: database.connection,
    operator,
    migrations: [recallMigration],
    clock: () => testMemories.now,
  })
  const owner = openOwner(database.connection, () => testMemories.now)
  const textOf = (table: string) =>
    kernel.readOnly(operator, async (db) => (await sql`select * from ${sql.table(table)}`.execute(db)).rows)
  return Object.assign(testMemories, {
    kernel,
    context: {
      operator,
      records: kernel.records,
      clock: () => testMemories.now,
      uuid: randomUUIDv7,
      zone: 'UTC',
      onProblem: () => undefined,
    },
    owner,
    seed: (seed: SeededRun) => owner.within(operator, (unit) => write(unit, seed)),
    change: async <T>(work: (tx: AssistantTransaction) => Promise<T>) =>
      (await kernel.records.change(operator, work)).value,
    ledger: (type: string) =>
      kernel.readOnly(operator, async (db) => {
        const rows = await db.selectFrom('ledger_entries').select('body').where('type', '=', type).execute()
        return rows.map(({ body }) => JSON.parse(body) as { actor: unknown; data: Record<string, unknown> })
      }),
    async dump(...tables: readonly string[]) {
      return JSON.stringify(await Promise.all(tables.map(textOf)))
    },
    async close() {
      await owner.close()
      await kernel.close()
      await database.stop()
    },
  })
}

async function write(
  { db, operator, now }: OwnerUnit,
  seed: SeededRun,
): Promise<{ session: SessionId; run: RunId }> {
  const [session, run] = [idFrom('ses', randomUUIDv7()), idFrom('run', randomUUIDv7())]
  const label = JSON.stringify(seed.label ?? operatorLabel)
  const times = { created_at: now, updated_at: now }
  await db
    .insertInto('sessions')
    .values({ operator_id: operator, id: session, title: 'A talk', ...times, active_run_id: null, label })
    .execute()
  const inputs = (seed.words ?? ['Hello']).map((words) => {
    const { text, requester, label: worth } = typeof words === 'string' ? { text: words } : words
    const id = idFrom('inp', randomUUIDv7())
    return {
      operator_id: operator,
      id,
      session_id: session,
      run_id: run,
      key: id,
      mode: 'auto' as const,
      text,
      requester: JSON.stringify(requester ?? { kind: 'operator', id: 'desk' }),
      state: 'done' as const,
      created_at: now,
      label: worth ? JSON.stringify(worth) : null,
    }
  })
  await db.insertInto('inputs').values(inputs).execute()
  await db
    .insertInto('runs')
    .values({
      operator_id: operator,
      id: run,
      session_id: session,
      input_id: inputs[0]?.id ?? idFrom('inp', ''),
      kind: 'agent',
      state: 'stopped',
      reason: 'completed',
      label,
      started_at: now,
      ended_at: now,
      agent: seed.agent ?? 'assistant',
      unattended: seed.unattended ?? false,
    })
    .execute()
  for (const [position, call] of (seed.calls ?? []).entries())
    await db
      .insertInto('calls')
      .values({
        operator_id: operator,
        id: idFrom('call', randomUUIDv7()),
        session_id: session,
        run_id: run,
        turn: 1,
        position,
        model_id: `m${position}`,
        model_tool: call.tool,
        tool: call.tool,
        tier: 1,
        raw_args: call.args ?? '{}',
        args: call.args ?? '{}',
        headline: 'A call',
        state: call.state ?? 'ended',
        outcome: call.state === 'intended' ? null : 'ok',
        result_text: call.result ?? '',
        summary: 'Done',
        undo: call.undo === undefined ? null : JSON.stringify({ tool: 'restore_records', args: call.undo }),
        ended_at: now,
      })
      .execute()
  return { session, run }
}
