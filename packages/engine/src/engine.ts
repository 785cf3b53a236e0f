/**
 * Starts each segment of a run durably and once, recovers it after a crash, and takes over from dead processes.
 * Refuses to start anything without holding its executor slot. A body may run again, so it must be re-entrant.
 */
import pg from 'pg'
import { EngineClient } from './engine-client.ts'
import { EngineProblem } from './problem.ts'
import { type SegmentRef, segmentRefOf, workflowIdOf } from './segment-ref.ts'
import { RETENTION_LOCK, type Slot, takeSlot } from './slot.ts'
import { ENGINE_SCHEMA, launchWorkflows, type Workflows } from './workflows.ts'

export type { SegmentRef } from './segment-ref.ts'

export interface Engine {
  readonly slot: number
  /** Whether no other process works on the same database. */
  isAlone(): Promise<boolean>
  /** Starts the segment now in this process; a second start of the same ref is a no-op. Resolves when durable. */
  start(ref: SegmentRef): Promise<void>
  /** Those the engine will not run unless started: never heard of, failed, or ended long ago. */
  unknown(refs: readonly SegmentRef[]): Promise<SegmentRef[]>
  /** Those that took their process down too often; they never run again. */
  abandoned(refs: readonly SegmentRef[]): Promise<SegmentRef[]>
  /** Resolves when all segments executing in this process have ended, or when the time is up. */
  drain(timeoutMs: number): Promise<void>
  /** Leaves what still executes to whoever takes over the slot; drain first to leave nothing. */
  close(): Promise<void>
}

export interface EngineOptions {
  connection: pg.PoolConfig
  /** A constant: work recorded under another version is not resumed. */
  applicationVersion: string
  /** The segment's body; never called before the engine is open. A rejection ends the segment as failed. */
  execute(ref: SegmentRef): Promise<void>
  onProblem(problem: EngineProblem): void
  maxSlots?: number
  /** How often to look for processes that died. */
  sweepEveryMs?: number
}

export async function openEngine(options: EngineOptions): Promise<Engine> {
  const state: EngineState = { may: 'start' }
  const slot = await takeSlot({
    connection: options.connection,
    maxSlots: options.maxSlots ?? 64,
    onLost: (cause) => {
      state.may = 'nothing: slot lost'
      options.onProblem(
        new EngineProblem('slot_lost', 'The connection that holds the executor slot ended.', { cause }),
      )
    },
  })
  const pool = openPool(options)
  const opened = Promise.withResolvers<void>()
  let workflows: Workflows | undefined
  try {
    workflows = await launchWorkflows({
      pool,
      executorId: executorIdOf(slot.number),
      applicationVersion: options.applicationVersion,
      maxRecoveries: MAX_RECOVERIES,
      execute: async (workflowId) => {
        await opened.promise
        return runSegment(segmentRefOf(workflowId), options)
      },
      onWarning: (message, cause) => options.onProblem(new EngineProblem('warning', message, { cause })),
    })
    const sweep = await startSweeping({ slot, workflows, state, options })
    // Resumed bodies wait until the caller has its engine in hand.
    setImmediate(opened.resolve)
    return engineOver({ slot, pool, workflows, state, sweep })
  } catch (error) {
    await workflows?.close()
    await pool.end()
    await slot.release()
    throw error
  }
}

interface EngineState {
  may: 'start' | 'nothing: slot lost' | 'nothing: closed'
}

interface Sweep {
  stop(): Promise<void>
}

/** A segment that ended its process this often is left alone, so that the gateway outlives it. */
const MAX_RECOVERIES = 10

const SWEEP_EVERY_MS = 5_000
const KEEP_FINISHED_MS = 60 * 60_000
const FORGET_EVERY_MS = 60 * 60_000
const FORGET_BATCH = 1_000
const FORGET_BATCHES_AT_CLOSE = 10

function engineOver(parts: {
  slot: Slot
  pool: pg.Pool
  workflows: Workflows
  state: EngineState
  sweep: Sweep
}): Engine {
  const { slot, pool, workflows, state, sweep } = parts
  return {
    slot: slot.number,
    isAlone: slot.isAlone,
    start: async (ref) => {
      if (state.may === 'nothing: slot lost') {
        throw new EngineProblem('slot_lost', 'This process lost its executor slot.', { ref })
      }
      if (state.may === 'nothing: closed') throw new EngineProblem('closed', 'The engine is closed.', { ref })
      await workflows.start(workflowIdOf(ref))
    },
    unknown: async (refs) => {
      if (refs.length === 0) return []
      const states = await workflows.states(refs.map(workflowIdOf))
      const failed = [...states].filter(([, state]) => state === 'failed').map(([id]) => id)
      if (failed.length > 0) await workflows.forget(failed)
      return refs.filter((ref) => (states.get(workflowIdOf(ref)) ?? 'failed') === 'failed')
    },
    abandoned: async (refs) => {
      if (refs.length === 0) return []
      const states = await workflows.states(refs.map(workflowIdOf))
      return refs.filter((ref) => states.get(workflowIdOf(ref)) === 'abandoned')
    },
    drain: (timeoutMs) => workflows.drain(timeoutMs),
    close: async () => {
      if (state.may === 'nothing: closed') return
      state.may = 'nothing: closed'
      await sweep.stop()
      await workflows.close()
      await pool.end()
      await slot.release()
    },
  }
}

async function runSegment(ref: SegmentRef, options: EngineOptions): Promise<'ended' | 'failed'> {
  try {
    await options.execute(ref)
    return 'ended'
  } catch (cause) {
    options.onProblem(new EngineProblem('segment_failed', 'A segment ended with an error.', { cause, ref }))
    return 'failed'
  }
}

/** One timer for all background work; the first look is done before this resolves. */
async function startSweeping(parts: {
  slot: Slot
  workflows: Workflows
  state: EngineState
  options: EngineOptions
}): Promise<Sweep> {
  const { slot, workflows, state, options } = parts
  let forgetAt = Date.now() + FORGET_EVERY_MS
  let timer: NodeJS.Timeout | undefined

  const look = async () => {
    await takeOver(slot, workflows, options)
    if (Date.now() < forgetAt) return
    const more = await forgetBatch(slot, workflows)
    if (!more) forgetAt = Date.now() + FORGET_EVERY_MS
  }
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (cause) {
      if (state.may === 'nothing: slot lost') return
      options.onProblem(
        new EngineProblem('sweep_failed', 'A look for abandoned or finished work failed.', { cause }),
      )
    }
  }
  let looking = Promise.resolve()
  const schedule = () => {
    if (state.may !== 'start') return
    timer = setTimeout(() => {
      looking = guarded(look).then(schedule)
    }, options.sweepEveryMs ?? SWEEP_EVERY_MS)
  }

  await look()
  schedule()
  return {
    stop: async () => {
      clearTimeout(timer)
      await looking
      await guarded(async () => {
        for (let batch = 0; batch < FORGET_BATCHES_AT_CLOSE; batch++) {
          if (!(await forgetBatch(slot, workflows))) return
        }
      })
    },
  }
}

/** A slot whose lock is free but which has pending work belonged to a process that died. */
async function takeOver(slot: Slot, workflows: Workflows, options: EngineOptions): Promise<void> {
  const waiting = await slot.query<{ executor: string; status: string }>({
    name: 'countersign_waiting',
    text: `select distinct executor_id as executor, status from ${ENGINE_SCHEMA}.workflow_status
           where status in ('ENQUEUED', 'PENDING') and application_version = $1
             and (status = 'ENQUEUED' or executor_id <> $2)`,
    values: [options.applicationVersion, executorIdOf(slot.number)],
  })
  const resume = async (executorIds: readonly string[]) => {
    for (const id of await workflows.resume(executorIds)) {
      const detail = { ref: segmentRefOf(id) }
      options.onProblem(
        new EngineProblem(
          'segment_abandoned',
          'A segment took its process down too often and was given up.',
          detail,
        ),
      )
    }
  }
  if (waiting.some((row) => row.status === 'ENQUEUED')) await resume([])
  for (const row of waiting) {
    const number = slotNumberOf(row.executor)
    if (row.status === 'PENDING' && number !== undefined)
      await slot.holding(number, () => resume([row.executor]))
  }
}

/** Answers whether there may be more. Taken by one process at a time, since two would wait for each other. */
async function forgetBatch(slot: Slot, workflows: Workflows): Promise<boolean> {
  let forgotten = 0
  await slot.holding(RETENTION_LOCK, async () => {
    forgotten = await workflows.forgetFinished(new Date(Date.now() - KEEP_FINISHED_MS), FORGET_BATCH)
  })
  return forgotten === FORGET_BATCH
}

function openPool(options: EngineOptions): pg.Pool {
  const pool = new pg.Pool({
    max: 10,
    application_name: 'countersign engine',
    ...options.connection,
    Client: EngineClient,
    pipeline: true,
  })
  pool.on('error', (cause) => {
    options.onProblem(new EngineProblem('warning', 'An idle connection of the engine ended.', { cause }))
  })
  return pool
}

const executorIdOf = (slot: number) => `slot-${slot}`

function slotNumberOf(executorId: string): number | undefined {
  const match = /^slot-(\d+)$/.exec(executorId)
  return match ? Number(match[1]) : undefined
}
