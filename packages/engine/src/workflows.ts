/**
 * The only file that speaks to DBOS: records, runs, recovers and forgets segments as workflows without steps.
 * Refuses content: a workflow has no input and no output, and of a failure only the fact is recorded.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { DBOS, type DBOSSerializer } from '@dbos-inc/dbos-sdk'
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import { INTERNAL_QUEUE_NAME } from '@dbos-inc/dbos-sdk/internal/utils'
import { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue'
import type pg from 'pg'

export const ENGINE_SCHEMA = 'countersign_engine'

export type WorkflowState = 'open' | 'ended' | 'failed' | 'abandoned'

export interface Workflows {
  /** Resolves once the start is durable; an id that is already recorded is left alone. */
  start(workflowId: string): Promise<void>
  /** Runs here whatever these executors left pending and whatever is queued; answers the ids it gave up. */
  resume(executorIds: readonly string[]): Promise<string[]>
  states(workflowIds: readonly string[]): Promise<Map<string, WorkflowState>>
  forget(workflowIds: readonly string[]): Promise<void>
  /** Deletes one batch of work that finished before the given time and answers how much it was. */
  forgetFinished(before: Date, limit: number): Promise<number>
  drain(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

export async function launchWorkflows(options: {
  pool: pg.Pool
  executorId: string
  applicationVersion: string
  maxRecoveries: number
  /** Resolves even on failure: reporting it is the caller's part. */
  execute(workflowId: string): Promise<'ended' | 'failed'>
  onWarning(message: string, cause: unknown): void
}): Promise<Workflows> {
  if (DBOS.isInitialized()) throw new Error('One process has one engine, and it is already open.')

  // A start inside a segment must not become a child workflow, which would be a recorded step of its parent.
  const outside = AsyncLocalStorage.snapshot()
  const segment = DBOS.registerWorkflow(
    async () => {
      const workflowId = DBOS.workflowID ?? ''
      if ((await outside(() => options.execute(workflowId))) === 'failed') throw new SegmentFailed()
    },
    { name: 'segment', maxRecoveryAttempts: options.maxRecoveries },
  )
  DBOS.setConfig({
    name: 'countersign',
    // Only parsed, never dialled: the pool below is used. Without it DBOS would read the environment.
    systemDatabaseUrl: 'postgresql://countersign@localhost/countersign',
    systemDatabasePool: options.pool,
    systemDatabaseSchemaName: ENGINE_SCHEMA,
    applicationVersion: options.applicationVersion,
    executorID: options.executorId,
    serializer: withoutContent,
    useListenNotify: false,
    notificationCoalesceMs: 1000,
    listenQueues: [],
    enableOTLP: false,
    tracingEnabled: false,
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (entry) => options.onWarning(String(entry), undefined),
      error: (entry, metadata) => {
        if (!(metadata?.error instanceof SegmentFailed)) options.onWarning(String(entry), metadata?.error)
      },
    },
  })
  const { executor, queue } = await launchQuietly()
  const database = executor.systemDatabase

  const states = async (workflowIds: readonly string[]) => {
    const { rows } = await options.pool.query<{ id: string; status: string }>({
      name: 'countersign_states',
      text: `select workflow_uuid as id, status from ${ENGINE_SCHEMA}.workflow_status where workflow_uuid = any($1)`,
      values: [workflowIds],
    })
    return new Map(rows.map((row) => [row.id, stateOf(row.status)]))
  }

  return {
    start: async (workflowId) => {
      await outside(() => DBOS.startWorkflow(segment, { workflowID: workflowId })())
    },
    resume: async (executorIds) => {
      await executor.recoverPendingWorkflows([...executorIds])
      const owner = randomUUID()
      const claimed = await database.findAndMarkStartableWorkflows(
        queue,
        options.executorId,
        options.applicationVersion,
        undefined,
        0,
        0,
        owner,
      )
      if (claimed.length === 0) return []
      await executor.dispatchDequeuedWorkflows(claimed, owner)
      const after = await states(claimed)
      return claimed.filter((id) => after.get(id) === 'abandoned')
    },
    states,
    forget: (workflowIds) => database.deleteWorkflows([...workflowIds]),
    forgetFinished: async (before, limit) => {
      const finished = await executor.listWorkflows({
        status: ['SUCCESS', 'ERROR', 'CANCELLED'],
        completedBefore: before.toISOString(),
        limit,
        loadInput: false,
        loadOutput: false,
      })
      if (finished.length > 0) await database.deleteWorkflows(finished.map((each) => each.workflowID))
      return finished.length
    },
    drain: (timeoutMs) => executor.awaitRunningWorkflows(timeoutMs),
    close: () => DBOS.shutdown({ deregister: true }),
  }
}

/**
 * Launches, then ends the loops that serve what we do not use: queue polling, delayed starts, schedules, deadlines
 * and the export of telemetry. Each look costs a transaction a second, telemetry ten timer ticks a second.
 */
async function launchQuietly() {
  try {
    await DBOS.launch()
    const executor = DBOSExecutor.globalInstance
    const queue = wfQueueRunner.getInternalQueue(INTERNAL_QUEUE_NAME)
    if (!executor || !queue) throw new Error('DBOS launched without the parts that recovery goes through.')
    await executor.deactivateEventReceivers()
    await executor.stopWorkflowTimeoutSweep()
    await executor.logger.destroy()
    return { executor, queue }
  } catch (error) {
    await DBOS.shutdown({ deregister: true })
    throw error
  }
}

function stateOf(status: string): WorkflowState {
  switch (status) {
    case 'SUCCESS':
    case 'CANCELLED':
      return 'ended'
    case 'ERROR':
      return 'failed'
    case 'MAX_RECOVERY_ATTEMPTS_EXCEEDED':
      return 'abandoned'
    default:
      return 'open'
  }
}

class SegmentFailed extends Error {
  override readonly name = 'SegmentFailed'
}

/** These tables have no row-level security, so whatever is handed over, only emptiness is written. */
const withoutContent: DBOSSerializer = {
  name: () => 'countersign',
  stringify: (value) => (Array.isArray(value) ? '[]' : 'null'),
  parse: (text) => (text === '[]' ? [] : null),
}
