import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestKernel, type TestKernel } from '../testing/test-kernel.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
beforeAll(async () => {
  // Nothing is analyzed by itself while the test runs.
  database = await startTestDatabase({ settings: { autovacuum: 'off' } })
  testKernel = await openTestKernel(database.connection, () => ({ text: 'Done.' }))
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})

it('looks one row up by its id in a table that filled before it was ever analyzed', async () => {
  const client = new Client(database.connection)
  await client.connect()
  try {
    await client.query("select set_config('app.operator', $1, false)", [testKernel.kernel.operator])
    await client.query(
      `insert into countersign.model_calls (operator_id, id, agent, unattended, purpose, provider, model, state,
         reserved, counted, started_at)
       select current_setting('app.operator'), 'mc_' || place, 'assistant', false, 'chat', 'p', 'm', 'reserved', 0,
         '[]', now() from generate_series(1, 1000) place`,
    )
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain analyze select * from countersign.model_calls
       where operator_id = current_setting('app.operator') and id = 'mc_500' and state = 'reserved'`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('model_calls_pkey')
    expect(plan).not.toContain('Rows Removed')
  } finally {
    await client.end()
  }
})
