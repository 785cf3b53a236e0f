import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestDatabase, type TestDatabase } from '../../../tests/harness/src/postgres.ts'
import { type Engine, openEngine, type SegmentRef } from './engine.ts'
import type { EngineProblem } from './problem.ts'
import type { EngineProcessOptions, EngineProcessReport } from './testing/engine-process.ts'

let database: TestDatabase
let watcher: pg.Client

beforeAll(async () => {
  database = await startTestDatabase()
  watcher = new pg.Client({ ...database.administrator, database: database.connection.database })
  await watcher.connect()
})

afterAll(async () => {
  await watcher?.end()
  await database?.stop()
})

// PostgreSQL may notice a killed process a moment later, and holds its slot until then.
beforeEach(() =>
  within(async () => {
    const { rows } = await watcher.query(
      `select pid from pg_stat_activity where application_name in ('countersign slot', 'countersign engine')`,
    )
    expect(rows).toEqual([])
  }),
)

const opened: Engine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

interface Opened {
  engine: Engine
  executed: SegmentRef[]
  problems: EngineProblem[]
}

async function open(
  execute: (ref: SegmentRef, engine: Engine) => Promise<void> = async () => {},
): Promise<Opened> {
  const executed: SegmentRef[] = []
  const problems: EngineProblem[] = []
  const engine: Engine = await openEngine({
    connection: database.connection,
    applicationVersion: 'test',
    sweepEveryMs: 200,
    execute: async (ref) => {
      executed.push(ref)
      await execute(ref, engine)
    },
    onProblem: (problem) => problems.push(problem),
  })
  opened.push(engine)
  return { engine, executed, problems }
}

let count = 0
const newRef = (name = 'plain'): SegmentRef => ({
  operatorId: 'op_a',
  runId: `run_${name}${count++}`,
  segment: 0,
})

interface EngineProcess {
  process: ChildProcess
  reports: EngineProcessReport[]
  killHard(): Promise<void>
}

function spawnEngine(options: EngineProcessOptions, refs: readonly SegmentRef[] = []): EngineProcess {
  const script = join(import.meta.dirname, 'testing/engine-process.ts')
  const args = [database.connection, options, refs].map((part) => JSON.stringify(part))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const reports: EngineProcessReport[] = []
  createInterface({ input: child.stdout }).on('line', (line) => reports.push(JSON.parse(line)))
  const killHard = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(killHard)
  return { process: child, reports, killHard }
}

const within = (assertion: () => void | Promise<void>) =>
  vi.waitFor(assertion, { timeout: 50_000, interval: 20 })

describe('starting', () => {
  it('executes a segment once, however often it is started', async () => {
    const { engine, executed } = await open()
    const ref = newRef()
    await Promise.all([engine.start(ref), engine.start(ref)])
    await engine.drain(50_000)
    await engine.start(ref)
    await engine.drain(50_000)
    expect(executed).toEqual([ref])
  })

  it('takes another segment of the same run for another piece of work', async () => {
    const { engine, executed } = await open()
    const ref = newRef()
    await engine.start(ref)
    await engine.start({ ...ref, segment: 1 })
    await engine.drain(50_000)
    expect(executed.map((each) => each.segment)).toEqual([0, 1])
  })

  it('lets a segment start the next one, which is nobody’s child', async () => {
    const ref = newRef()
    const next = { ...ref, segment: 1 }
    const { engine, executed, problems } = await open(async (each, inner) => {
      if (each.segment === 0) await inner.start(next)
    })
    await engine.start(ref)
    await engine.drain(50_000)
    expect(executed).toEqual([ref, next])
    expect(problems).toEqual([])
    const { rows } = await watcher.query(
      `select (select count(*) from countersign_engine.operation_outputs)::int as steps,
              (select count(*) from countersign_engine.workflow_status where parent_workflow_id is not null)::int as children`,
    )
    expect(rows).toEqual([{ steps: 0, children: 0 }])
  })

  it('drains no longer than it is told', async () => {
    let finish = () => {}
    const held = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { engine } = await open(() => held)
    await engine.start(newRef())
    // It returns while the segment is held.
    await engine.drain(100)
    finish()
    await engine.drain(50_000)
  })

  it('refuses to start after it was closed', async () => {
    const { engine } = await open()
    await engine.close()
    await expect(engine.start(newRef())).rejects.toMatchObject({ code: 'closed' })
  })

  it('refuses a second engine in one process', async () => {
    await open()
    await expect(open()).rejects.toThrow('One process has one engine')
  })
})

describe('what the engine knows', () => {
  it('lists only the segments it never heard of', async () => {
    const { engine } = await open()
    const [known, strange] = [newRef(), newRef()]
    await engine.start(known)
    expect(await engine.unknown([known, strange])).toEqual([strange])
    await engine.drain(50_000)
    expect(await engine.unknown([known, strange])).toEqual([strange])
    expect(await engine.unknown([])).toEqual([])
  })

  it('reports a segment that failed, and lets it start again', async () => {
    let failures = 1
    const { engine, executed, problems } = await open(async () => {
      if (failures-- > 0) throw new Error('no luck')
    })
    const ref = newRef()
    await engine.start(ref)
    await engine.drain(50_000)
    expect(problems).toMatchObject([
      { code: 'segment_failed', ref, fatal: false, cause: { message: 'no luck' } },
    ])
    expect(await engine.unknown([ref])).toEqual([ref])
    await engine.start(ref)
    await engine.drain(50_000)
    expect(executed).toEqual([ref, ref])
    expect(await engine.unknown([ref])).toEqual([])
  })

  it('stores nothing of what a segment said when it failed', async () => {
    const { engine } = await open(async () => {
      throw Object.assign(new Error('the operator’s secret'), { note: 'the operator’s secret' })
    })
    await engine.start(newRef())
    await engine.drain(50_000)
    for (const table of await engineTables()) {
      const { rows } = await watcher.query(`select t::text as row from countersign_engine.${table} t`)
      expect(JSON.stringify(rows)).not.toContain('secret')
    }
    const { rows } = await watcher.query(
      `select distinct inputs, output from countersign_engine.workflow_input left join countersign_engine.workflow_output using (workflow_uuid)
       where output is not null`,
    )
    expect(rows).toEqual([{ inputs: '[]', output: 'null' }])
  })

  it('forgets what finished long ago, and nothing younger', async () => {
    const [old, young] = [newRef(), newRef()]
    const first = await open()
    await first.engine.start(old)
    await first.engine.start(young)
    await first.engine.drain(50_000)
    await watcher.query(
      `update countersign_engine.workflow_status set completed_at = completed_at - 3600000 where workflow_uuid = $1`,
      [`${old.operatorId}/${old.runId}/0`],
    )
    await first.engine.close()
    const second = await open()
    expect(await second.engine.unknown([old, young])).toEqual([old])
  })
})

describe('after a crash', () => {
  it('executes again, in the restarted process, what the killed one was executing', async () => {
    const [hanging, ended] = [newRef('hang'), newRef()]
    const killed = spawnEngine({ hang: true }, [ended, hanging])
    await within(() => expect(killed.reports).toContainEqual({ kind: 'executing', ref: hanging }))
    await within(async () => expect(await statusOf(ended)).toBe('SUCCESS'))
    await killed.killHard()
    const restarted = spawnEngine({})
    await within(() => expect(restarted.reports).toContainEqual({ kind: 'executing', ref: hanging }))
    expect(restarted.reports).toContainEqual({ kind: 'open', slot: 0 })
    expect(restarted.reports).not.toContainEqual({ kind: 'executing', ref: ended })
    // It would be left to whoever opens next.
    await within(async () => expect(await statusOf(hanging)).toBe('SUCCESS'))
  })

  it('takes over from a process that was killed, and not from one that lives', async () => {
    const { engine, executed, problems } = await open()
    const [living, dying] = [newRef('hang'), newRef('hang')]
    const survivor = spawnEngine({ hang: true }, [living])
    await within(() => expect(survivor.reports).toContainEqual({ kind: 'executing', ref: living }))
    const killed = spawnEngine({ hang: true }, [dying])
    await within(() => expect(killed.reports).toContainEqual({ kind: 'executing', ref: dying }))
    expect(engine.slot).toBe(0)
    expect(survivor.reports).toContainEqual({ kind: 'open', slot: 1 })
    expect(killed.reports).toContainEqual({ kind: 'open', slot: 2 })

    await killed.killHard()
    await within(() => expect(executed).toContainEqual(dying))
    expect(executed).toEqual([dying])
    expect(problems).toEqual([])

    await survivor.killHard()
    await within(() => expect(executed).toEqual([dying, living]))
  })

  it('gives up a segment that took its process down too often', async () => {
    const ref = newRef('hang')
    const killed = spawnEngine({ hang: true }, [ref])
    await within(() => expect(killed.reports).toContainEqual({ kind: 'executing', ref }))
    await killed.killHard()
    await watcher.query(
      `update countersign_engine.workflow_status set recovery_attempts = 11, executor_id = 'slot-9' where workflow_uuid = $1`,
      [`${ref.operatorId}/${ref.runId}/0`],
    )
    const { engine, executed, problems } = await open()
    expect(problems).toContainEqual(expect.objectContaining({ code: 'segment_abandoned', ref }))
    expect(executed).toEqual([])
    expect(await engine.abandoned([ref, newRef()])).toEqual([ref])
    expect(await engine.unknown([ref])).toEqual([])
  })
})

describe('when connections are lost', () => {
  it('executes every segment once all the same, and records that it ended', async () => {
    const { engine, executed, problems } = await open(() => new Promise((resolve) => setTimeout(resolve, 20)))
    const refs = Array.from({ length: 60 }, () => newRef())
    for (const [index, ref] of refs.entries()) {
      const started = engine.start(ref)
      if (index % 20 === 10) {
        await watcher.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign engine'`,
        )
      }
      await started
    }
    await engine.drain(50_000)
    const byRun = (a: SegmentRef, b: SegmentRef) => a.runId.localeCompare(b.runId)
    expect(executed.toSorted(byRun)).toEqual(refs.toSorted(byRun))
    for (const ref of refs) expect(await statusOf(ref)).toBe('SUCCESS')
    expect(problems.filter((problem) => problem.code !== 'warning')).toEqual([])
  })
})

describe('the executor slot', () => {
  it('is not waited for when there is no server', async () => {
    const connection = { ...database.connection, host: `${database.connection.host}/nowhere` }
    const opening = openEngine({
      connection,
      applicationVersion: 'test',
      execute: async () => {},
      onProblem: () => {},
    })
    await expect(opening).rejects.toThrow('ENOENT')
  })

  it('is refused when every slot is held by a live process', async () => {
    await open()
    const refused = spawnEngine({ maxSlots: 1 })
    await within(() => expect(refused.reports).toEqual([{ kind: 'problem', code: 'no_free_slot' }]))
  })

  it('is fatal to lose: the loss is reported and nothing starts any more', async () => {
    const { engine, executed, problems } = await open()
    await watcher.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign slot'`,
    )
    await within(() =>
      expect(problems).toContainEqual(expect.objectContaining({ code: 'slot_lost', fatal: true })),
    )
    await expect(engine.start(newRef())).rejects.toMatchObject({ code: 'slot_lost' })
    expect(problems.filter((problem) => problem.fatal)).toHaveLength(1)
    expect(executed).toEqual([])
  })
})

describe('an idle engine', () => {
  it('runs no timer of its own beyond the sweep and asks the database nothing', async () => {
    const idle = spawnEngine({ countTicksMs: 2_500 })
    await within(() => expect(idle.reports).toContainEqual({ kind: 'open', slot: 0 }))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = await transactions()
    await within(() => expect(idle.reports.at(-1)?.kind).toBe('ticks'))
    const ticks = idle.reports.at(-1)
    // One tick is the end of the count itself, and asking for the count is two transactions.
    expect(ticks).toEqual({ kind: 'ticks', count: 1 })
    expect((await transactions()) - before).toBeLessThanOrEqual(2)
  })
})

async function statusOf(ref: SegmentRef): Promise<string | undefined> {
  const { rows } = await watcher.query<{ status: string }>(
    'select status from countersign_engine.workflow_status where workflow_uuid = $1',
    [`${ref.operatorId}/${ref.runId}/${ref.segment}`],
  )
  return rows[0]?.status
}

async function engineTables(): Promise<string[]> {
  const { rows } = await watcher.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'countersign_engine'`,
  )
  return rows.map((row) => row.tablename)
}

/** Counts what the product's role did; the watcher is another role but shares the database. */
async function transactions(): Promise<number> {
  await watcher.query('select pg_stat_force_next_flush()')
  const { rows } = await watcher.query<{ count: string }>(
    `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`,
  )
  return Number(rows[0]?.count)
}
