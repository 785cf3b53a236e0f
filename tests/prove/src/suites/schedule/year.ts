/**
 * Lives through a year of jobs on a real database: ticks on time and late, a clock that jumps, runs that end at some
 * time, and processes that are killed in and between their transactions.
 */
import { randomUUIDv7 } from 'node:crypto'
import {
  idFrom,
  type JsonObject,
  operatorLabel,
  type SessionId,
  type StopReason,
} from '@countersign/contract'
import { createRedactor } from '@countersign/contract/node'
import type { InboundMessage, LimitedDb } from '@countersign/kernel'
import type { AssistantContext } from '../../../../../packages/assistant/src/assistant-context.ts'
import { outboxMigration } from '../../../../../packages/assistant/src/outbox/migration.ts'
import { createOutbox } from '../../../../../packages/assistant/src/outbox/outbox.ts'
import { schedulesMigration } from '../../../../../packages/assistant/src/schedules/migration.ts'
import { createScheduler } from '../../../../../packages/assistant/src/schedules/scheduler.ts'
import { tablesOn } from '../../../../../packages/assistant/src/schedules/tables.ts'
import { migrate, openPool } from '../../../../../packages/database/src/index.ts'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { createAppender } from '../../../../../packages/kernel/src/ledger/append.ts'
import { createRecordTransactions } from '../../../../../packages/kernel/src/records/record-transactions.ts'
import { migrations } from '../../../../../packages/kernel/src/store/migrations/index.ts'
import { openStore } from '../../../../../packages/kernel/src/store/store.ts'
import { startTestDatabase, type TestDatabase } from '../../../../harness/src/postgres.ts'
import type { Job } from './jobs.ts'
import { KilledProcess, mortalRecords } from './mortal.ts'

export interface LivedYear {
  readonly rows: readonly Row[]
  /** Keys of the messages that reached a lane, each as often as it was taken as new. */
  readonly admitted: readonly string[]
  readonly ends: readonly { readonly occurrence: string; readonly type: string }[]
  readonly kills: number
  readonly ticks: number
  readonly jumps: number
  /** The latest moment that any tick was made at. */
  readonly reached: number
  readonly ended: number
  readonly problems: readonly string[]
}

export interface Row {
  readonly id: string
  readonly schedule: string
  readonly key: string
  readonly state: string
  readonly reason: string
  readonly dueAt: number
  readonly createdAt: number
  readonly endedAt: number | null
}

export interface YearOptions {
  readonly jobs: readonly Job[]
  readonly start: number
  readonly end: number
  readonly restarts: number
  readonly random: Random
  log(line: string): void
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export const scheduleId = (place: number) => `sched_${place.toString(16).padStart(32, '0')}`

export async function liveYear(options: YearOptions): Promise<LivedYear> {
  const database = await startTestDatabase()
  try {
    return await live(options, database)
  } finally {
    await database.stop()
  }
}

async function live(options: YearOptions, database: TestDatabase): Promise<LivedYear> {
  const { jobs, random, start, end } = options
  const problems: string[] = []
  const setup = openPool(database.connection, 1, () => undefined)
  await migrate(setup, [...migrations, outboxMigration, schedulesMigration])
  await setup.end()
  const time = { now: start }
  const clock = () => new Date(time.now)
  const store = openStore({
    connection: database.connection,
    ledger: createAppender({ redactor: createRedactor(), boot: 'year', appended: () => undefined }),
    stream: { prepare: () => [], committed: () => undefined },
    clock,
    onProblem: () => undefined,
    poolSize: 5,
  })
  const operator = idFrom('op', randomUUIDv7())
  await store.read(operator, (db) =>
    db
      .insertInto('operators')
      .values({
        id: operator,
        created_at: new Date(start),
        policy_hash: null,
        paused_at: null,
        paused_by: null,
        held_at: null,
        held_because: null,
        released_at: null,
      })
      .execute(),
  )
  const all = createRecordTransactions(store, clock)
  await all.change(operator, async ({ records }) => {
    for (const [place, job] of jobs.entries())
      await records.insert('schedules', scheduleId(place), recordOf(job, place), null)
  })

  /** The lanes: they outlive every process, and take a key once. */
  const lanes = new Map<string, InboundMessage>()
  const admitted: string[] = []
  const open: string[] = []

  function startProcess() {
    const mortal = mortalRecords(all, random)
    const context: AssistantContext = {
      operator,
      records: mortal.records,
      clock,
      uuid: randomUUIDv7,
      zone: 'UTC',
      onProblem: (problem) => {
        if (!(problem instanceof KilledProcess)) problems.push(String(problem))
      },
    }
    const outbox = createOutbox(context)
    const scheduler = createScheduler({ context, post: outbox.post })
    outbox.open((_operator, message) => {
      if (mortal.isDead()) throw new KilledProcess('dead')
      if (!lanes.has(message.key)) {
        lanes.set(message.key, message)
        admitted.push(message.key)
        open.push(message.key)
      }
      return Promise.resolve()
    })
    return { mortal, context, outbox, scheduler }
  }

  let current = startProcess()
  let kills = 0
  let ticks = 0
  let jumps = 0
  let reached = start
  const survive = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (problem) {
      if (!(problem instanceof KilledProcess)) throw problem
    }
    if (!current.mortal.isDead()) return
    // Whatever the dead process still had in hand comes to nothing.
    await current.outbox.deliver().catch(() => undefined)
    kills += 1
    current = startProcess()
  }
  const tick = async () => {
    reached = Math.max(reached, time.now)
    ticks += 1
    await survive(async () => {
      await current.scheduler.tick(new Date(time.now))
      await current.outbox.deliver()
    })
  }
  const endSome = async (share: number) => {
    for (const key of open.splice(0)) {
      if (random.below(100) >= share) {
        open.push(key)
        continue
      }
      const message = lanes.get(key)
      const reason: StopReason = random.pick(['completed', 'completed', 'completed', 'error', 'manual'])
      const run = {
        id: idFrom('run', randomUUIDv7()),
        input_id: idFrom('inp', randomUUIDv7()),
        schedule: message?.work?.schedule ?? null,
        parent: null,
        about: message?.work?.about ?? null,
        label: operatorLabel,
      }
      const { mortal, scheduler } = current
      await survive(() =>
        mortal.records.change(operator, (tx) => scheduler.ended(tx, run, { reason, message: 'done' })),
      )
      // Nobody knows whether a dead process ended it, so its end is told again; now and then it is told twice anyway.
      if (current.mortal !== mortal || random.below(20) === 0) open.push(key)
    }
  }

  const steps = options.restarts * 3
  for (let step = 0; step < steps; step += 1) {
    const killsLeft = options.restarts - kills
    if (random.below(steps - step) < killsLeft * 1.15)
      current.mortal.doom(1 + random.below(Math.ceil(jobs.length * 1.5) + 8))
    const toGo = end - time.now
    const stride = Math.max(minute, Math.floor((toGo / (steps - step)) * 2))
    const way = random.below(12)
    if (way === 0) {
      // The clock runs ahead and is set right again.
      jumps += 1
      const right = time.now
      time.now += random.below(20 * day)
      await tick()
      time.now = right + random.below(10 * minute)
    } else if (way === 1) {
      jumps += 1
      time.now = Math.max(start, time.now - random.below(2 * day))
    } else if (way < 5) {
      // Somebody is there, and every time is met.
      for (let beat = 0; beat < 6; beat += 1) {
        const { value } = await all.change(operator, async ({ db }) =>
          tablesOn(db)
            .selectFrom('schedule_cursors')
            .select((eb) => eb.fn.min('next_at').as('at'))
            .executeTakeFirst(),
        )
        const next = (value as { at: Date | null } | undefined)?.at?.getTime() ?? time.now + hour
        time.now = Math.max(time.now, Math.min(next, end)) + random.below(30_000)
        await tick()
        await endSome(60)
      }
    } else time.now += random.below(stride)
    time.now = Math.min(time.now, end)
    await tick()
    await endSome(random.pick([30, 70, 100]))
  }
  time.now = end
  await tick()
  await tick()
  await endSome(100)
  await endSome(100)
  await survive(() => current.outbox.deliver())
  await endSome(100)

  const rows = await store.read(operator, (db) => occurrencesIn(db))
  const entries = await store.read(operator, (db) =>
    db
      .selectFrom('ledger_entries')
      .select('body')
      .where('type', 'in', ['schedule.succeeded', 'schedule.failed', 'schedule.stopped'])
      .execute(),
  )
  const ends = entries.map(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { occurrence: string } }
    return { type, occurrence: data.occurrence }
  })
  await store.close()
  return { rows, admitted, ends, kills, ticks, jumps, reached, ended: ends.length, problems }
}

async function occurrencesIn(db: LimitedDb): Promise<Row[]> {
  const rows = await tablesOn(db)
    .selectFrom('occurrences')
    .select(['id', 'schedule', 'key', 'state', 'reason', 'due_at', 'created_at', 'ended_at'])
    .execute()
  return rows.map(({ due_at, created_at, ended_at, ...row }) => ({
    ...row,
    dueAt: due_at.getTime(),
    createdAt: created_at.getTime(),
    endedAt: ended_at?.getTime() ?? null,
  }))
}

function recordOf({ trigger, missed, most, overlap }: Job, place: number): JsonObject {
  const session: SessionId = idFrom('ses', place.toString(16).padStart(32, '0'))
  return JSON.parse(
    JSON.stringify({
      name: `job ${place}`,
      trigger,
      does: { kind: 'prompt', text: 'do it' },
      agent: 'assistant',
      goal: null,
      missed,
      most,
      overlap,
      success: '',
      onFailure: { feed: true, session: null },
      tierMax: 1,
      maxCostUsd: 1,
      quiet: null,
      status: 'active',
      version: 1,
      session,
      creator: { kind: 'operator', id: 'year' },
    }),
  ) as JsonObject
}
