/** Workflows of ten steps on plain DBOS, in a schema of their own: the floor that a run of ten calls is compared with. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import pg from 'pg'
import { inLanes } from '../lanes.ts'
import { answerParent } from '../side-process.ts'

export type WorkflowsQuestion =
  | { readonly kind: 'open'; readonly connection: pg.PoolConfig }
  | { readonly kind: 'run'; readonly count: number; readonly concurrency: number }

/** Milliseconds. */
export type WorkflowsAnswer = number

const steps = 10

const tenSteps = DBOS.registerWorkflow(
  async () => {
    let total = 0
    for (let index = 0; index < steps; index += 1)
      total += await DBOS.runStep(() => Promise.resolve(index), { name: `step-${index}` })
    return total
  },
  { name: 'ten-steps' },
)

async function open(connection: pg.PoolConfig): Promise<void> {
  const pool = new pg.Pool({ ...connection, max: 10 })
  pool.on('error', () => undefined)
  const silent = () => undefined
  DBOS.setConfig({
    name: 'bare',
    // Only parsed: the pool is what is used.
    systemDatabaseUrl: 'postgresql://countersign@localhost/countersign',
    systemDatabasePool: pool,
    systemDatabaseSchemaName: 'bare_workflows',
    enableOTLP: false,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  })
  await DBOS.launch()
}

answerParent<WorkflowsQuestion, WorkflowsAnswer>(async (question) => {
  const began = performance.now()
  if (question.kind === 'open') await open(question.connection)
  else
    await inLanes(question.count, question.concurrency, async () => {
      const total = await (await DBOS.startWorkflow(tenSteps)()).getResult()
      if (total !== 45) throw new Error(`A bare workflow ended with ${total}.`)
    })
  return performance.now() - began
})
