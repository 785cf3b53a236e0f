/** Owns a setting for tests of history: a real database with a kernel, and conversations that are simply there. */
import { randomUUIDv7 } from 'node:crypto'
import {
  type ExecutorPort,
  idFrom,
  type Label,
  operatorLabel,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import { generateKey, sha256Hex } from '@countersign/contract/node'
import type { AssistantPort, Kernel, Migration } from '@countersign/kernel'
import {
  deviceSeals,
  type Owner,
  type OwnerUnit,
  openOwner,
  openWholeKernel,
  plainAssistant,
} from '@countersign/kernel/testing'
import { startTestDatabase, type TestDatabase } from '../../../../../tests/harness/src/postgres.ts'
import type { AssistantContext, AssistantTransaction } from '../../assistant-context.ts'
import { schedulesMigration } from '../../schedules/migration.ts'
import { historyMigration, simulationMigration } from '../migration.ts'
import type { Summarise } from '../summary.ts'

export interface SeededCall {
  readonly headline: string
  readonly summary?: string
  readonly outcome?: 'ok' | 'failed' | 'denied' | null
  readonly result?: string
  readonly undoable?: boolean
}

export interface SeededTurn {
  readonly user?: string
  readonly agent?: string
  readonly calls?: readonly SeededCall[]
  readonly label?: Label
}

export interface Seed {
  readonly session?: SessionId
  readonly title?: string
  readonly agent?: string
  readonly goal?: string | null
  readonly at: Date
  readonly turns: readonly SeededTurn[]
  readonly label?: Label
  /** How the run is left; over, unless it says so. */
  readonly state?: 'running' | 'parked' | 'stopped'
  readonly error?: string
}

export interface TestHistory {
  readonly context: AssistantContext
  readonly kernel: Kernel
  /** Lays out rows of the kernel. */
  readonly owner: Owner
  now: Date
  assistant: Partial<AssistantPort>
  /** What the scripted model says to a run. */
  says: string
  /** Writes a run with its messages, a second apart. */
  seed(seed: Seed): Promise<{ session: SessionId; run: RunId }>
  change<T>(work: (tx: AssistantTransaction) => Promise<T>): Promise<T>
  ledger(): Promise<{ type: string; data: Record<string, unknown> }[]>
  close(): Promise<void>
}

export const noSummary: Summarise = () => Promise.resolve(undefined)

export async function openTestHistory(more: readonly Migration[] = []): Promise<TestHistory> {
  const database: TestDatabase = await startTestDatabase()
  const operator = idFrom('op', randomUUIDv7())
  const gateway = { id: idFrom('gw', randomUUIDv7()), key: generateKey() }
  const idle = (): ExecutorPort => ({
    identity: { executor: idFrom('exe', randomUUIDv7()), key: sha256Hex('executor') },
    resolve: () => Promise.reject(new Error('nothing is to be done here')),
    execute: () => Promise.reject(new Error('nothing is to be done here')),
    setWorld: () => undefined,
  })

  const openOne = () =>
    openWholeKernel(
      {
        connection: database.connection,
        operator,
        gateway,
        migrations: [historyMigration, simulationMigration, schedulesMigration, ...more],
        clock: () => testHistory.now,
        uuid: randomUUIDv7,
        onProblem: (problem) => console.error(problem),
      },
      () => ({
        tools: {
          open: () =>
            Promise.resolve({ find: () => undefined, list: () => [], missing: (name) => `No ${name}.` }),
        },
        executor: idle(),
        recordExecutor: idle(),
        assistant: {
          ...plainAssistant(() => testHistory.now),
          prepare: (...asked) =>
            (testHistory.assistant.prepare ?? plainAssistant(() => testHistory.now).prepare)(...asked),
        },
        model: {
          async *stream() {
            const usage = { input: 1, output: 1, cached: 0, reasoning: 0 }
            yield {
              type: 'end',
              reply: { text: testHistory.says, calls: [], finish: 'stop', usage, model: 'scripted' },
            }
          },
        },
        policy: { autonomy: 'medium', files: [] },
        devices: [],
        seals: deviceSeals([]),
        onFatal: (problem) => console.error(problem),
      }),
    )

  const contextOn = (kernel: Kernel): AssistantContext => ({
    operator,
    records: kernel.records,
    clock: () => testHistory.now,
    uuid: randomUUIDv7,
    zone: 'UTC',
    onProblem: (problem) => console.error(problem),
  })

  const testHistory: TestHistory = {
    now: new Date('2026-03-01T12:00:00.000Z'),
    assistant: {},
    says: 'Fine.',
    context: undefined as unknown as AssistantContext,
    kernel: undefined as unknown as Kernel,
    owner: openOwner(database.connection, () => testHistory.now),
    seed: (seed) => testHistory.owner.within(operator, (unit) => write(unit, seed)),
    change: async (work) => (await testHistory.kernel.records.change(operator, work)).value,
    ledger: () =>
      testHistory.kernel.readOnly(operator, async (db) => {
        const rows = await db.selectFrom('ledger_entries').select('body').orderBy('seq').execute()
        return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
      }),
    async close() {
      await testHistory.owner.close()
      await testHistory.kernel.close()
      await database.stop()
    },
  }
  const kernel = await openOne()
  return Object.assign(testHistory, { kernel, context: contextOn(kernel) })
}

async function write({ db, operator }: OwnerUnit, seed: Seed): Promise<{ session: SessionId; run: RunId }> {
  const session = seed.session ?? idFrom('ses', randomUUIDv7())
  const [run, input] = [idFrom('run', randomUUIDv7()), idFrom('inp', randomUUIDv7())]
  const label = JSON.stringify(seed.label ?? operatorLabel)
  const state = seed.state ?? 'stopped'
  const last = new Date(seed.at.getTime() + seed.turns.length * 2_000)
  if (!seed.session) {
    await db
      .insertInto('sessions')
      .values({
        operator_id: operator,
        id: session,
        title: seed.title ?? 'A talk',
        created_at: seed.at,
        updated_at: seed.at,
        active_run_id: null,
        label,
      })
      .execute()
  }
  await db
    .updateTable('sessions')
    .set({ updated_at: last, label, active_run_id: state === 'stopped' ? null : run })
    .where('id', '=', session)
    .execute()
  await db
    .insertInto('inputs')
    .values({
      operator_id: operator,
      id: input,
      session_id: session,
      run_id: run,
      key: input,
      mode: 'auto',
      text: '',
      requester: JSON.stringify({ kind: 'operator', id: 'desk' }),
      state: state === 'stopped' ? 'done' : 'running',
      created_at: seed.at,
    })
    .execute()
  await db
    .insertInto('runs')
    .values({
      operator_id: operator,
      id: run,
      session_id: session,
      input_id: input,
      kind: 'agent',
      state,
      parked_on: state === 'parked' ? 'approval' : null,
      reason: state === 'stopped' ? (seed.error ? 'error' : 'completed') : null,
      message: seed.error ?? '',
      label,
      started_at: seed.at,
      ended_at: state === 'stopped' ? last : null,
      agent: seed.agent ?? 'assistant',
      goal: seed.goal ?? null,
    })
    .execute()
  for (const [at, turn] of seed.turns.entries()) {
    const said = (role: 'user' | 'assistant', text: string, later: number) =>
      db
        .insertInto('messages')
        .values({
          operator_id: operator,
          session_id: session,
          run_id: run,
          turn: role === 'user' ? at : at + 1,
          role,
          text,
          label: JSON.stringify(turn.label ?? operatorLabel),
          at: new Date(seed.at.getTime() + at * 2_000 + later),
        })
        .execute()
    if (turn.user !== undefined) await said('user', turn.user, 0)
    if (turn.agent === undefined && !turn.calls) continue
    await said('assistant', turn.agent ?? '', 1_000)
    for (const [place, call] of (turn.calls ?? []).entries()) {
      await db
        .insertInto('calls')
        .values({
          operator_id: operator,
          id: idFrom('call', randomUUIDv7()),
          session_id: session,
          run_id: run,
          turn: at + 1,
          position: place,
          model_id: `m${place}`,
          model_tool: 'do_it',
          raw_args: '{}',
          tool: 'do_it',
          args: '{}',
          headline: call.headline,
          tier: 1,
          state: call.outcome === null ? 'asked' : 'ended',
          outcome: call.outcome === undefined ? 'ok' : call.outcome,
          result_text: call.result ?? '',
          summary: call.summary ?? '',
          undo: call.undoable ? JSON.stringify({ tool: 'undo_it', args: '{}' }) : null,
          ended_at: call.outcome === null ? null : seed.at,
        })
        .execute()
    }
  }
  return { session, run }
}
