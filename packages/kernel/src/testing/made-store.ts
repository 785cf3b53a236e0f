/** Owns a store for tests: a real database, a clock that stands still, and what units left in the ledger and the stream. */
import { randomUUIDv7 } from 'node:crypto'
import {
  type CallId,
  type EventBody,
  idFrom,
  type OperatorId,
  operatorLabel,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import { migrate, openPool } from '@countersign/database'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { createDevices } from '../store/devices.ts'
import { migrations } from '../store/migrations/index.ts'
import { type EntryDraft, json, openStore, type Store, type Unit } from '../store/store.ts'

export interface MadeCall {
  readonly operator: OperatorId
  readonly session: SessionId
  readonly run: RunId
  readonly call: CallId
}

/** The time at which a made store stands until a test moves it. */
export const began = new Date('2026-11-15T10:00:00.000Z')

export interface MadeStore extends Store {
  now: Date
  /** What was committed, in order. */
  readonly entries: EntryDraft[]
  readonly events: EventBody[]
  /** A unit of the operator's, for its value. */
  within<T>(operator: OperatorId, work: (unit: Unit) => Promise<T>): Promise<T>
  /** Forgets what was committed, and stands at the beginning. */
  clear(): void
  newOperator(id?: OperatorId): Promise<OperatorId>
  /** A call in a session and a run of its own, or beside another one in its run. */
  newCall(operator: OperatorId, beside?: MadeCall, goal?: string): Promise<MadeCall>
}

export async function openMadeStore(usual?: OperatorId): Promise<MadeStore> {
  const database = await startTestDatabase()
  const { connection } = database
  const setup = openPool(connection, 1, console.error)
  await migrate(setup, migrations)
  await setup.end()
  const entries: EntryDraft[] = []
  const events: EventBody[] = []
  const store = openStore({
    connection,
    ledger: {
      prepare: (closing) => closing.entries.map(() => ({ head: '', tail: '' })),
      committed: (closed) => entries.push(...closed.entries),
    },
    stream: {
      prepare: (closing) => closing.events.map((body) => ({ body, text: json(body) })),
      committed: (closed) => events.push(...closed.events),
    },
    clock: () => made.now,
    onProblem: console.error,
    ...(usual === undefined ? {} : { operator: usual }),
  })
  const made: MadeStore = {
    ...store,
    now: began,
    entries,
    events,
    async close() {
      await store.close()
      await database.stop()
    },
    within: async (operator, work) => (await store.transact(operator, work)).value,
    clear() {
      made.now = began
      entries.length = 0
      events.length = 0
    },
    async newOperator(operator = idFrom('op', randomUUIDv7())) {
      await createDevices(store).enrol(operator, [], made.now)
      return operator
    },
    newCall: (operator, beside, goal) =>
      made.within(operator, async (unit) => {
        const where = beside ?? (await newRun(unit, goal))
        return { ...where, operator, call: await newCall(unit, where) }
      }),
  }
  return made
}

async function newRun({ db, operator, now }: Unit, goal: string | undefined) {
  const session = idFrom('ses', randomUUIDv7())
  const input = idFrom('inp', randomUUIDv7())
  const run = idFrom('run', randomUUIDv7())
  const label = json(operatorLabel)
  await db
    .insertInto('sessions')
    .values({
      operator_id: operator,
      id: session,
      title: '',
      created_at: now,
      updated_at: now,
      active_run_id: run,
      label,
    })
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
      text: 'go',
      requester: json({ kind: 'operator', id: 'desk' }),
      state: 'running',
      created_at: now,
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
      state: 'running',
      label,
      started_at: now,
      goal: goal ?? null,
    })
    .execute()
  return { session, run }
}

async function newCall({ db, operator }: Unit, { session, run }: Pick<MadeCall, 'session' | 'run'>) {
  const id = idFrom('call', randomUUIDv7())
  const { count } = await db
    .selectFrom('calls')
    .select((is) => is.fn.countAll<string>().as('count'))
    .where('run_id', '=', run)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('calls')
    .values({
      operator_id: operator,
      id,
      session_id: session,
      run_id: run,
      turn: 1,
      position: Number(count),
      model_id: 'm0',
      model_tool: 'fetch',
      raw_args: '{}',
      tool: 'fetch',
      args: '{}',
      headline: 'fetch',
      state: 'asked',
    })
    .execute()
  return id
}
