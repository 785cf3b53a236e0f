import { openTestKernel } from '@countersign/kernel/testing'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { startTestDatabase } from '../../../harness/src/postgres.ts'
import { mutantNames, mutantSql } from '../suites/budget/mutants.ts'

/** With one that cannot, nothing is tried. */
it('each can be put in the place of the true function', async () => {
  const database = await startTestDatabase()
  const kernel = await openTestKernel(database.connection, () => ({ text: 'fine' }))
  const client = new Client(database.connection)
  await client.connect()
  try {
    await client.query('set search_path = countersign')
    for (const mutant of mutantNames) {
      await client.query('begin')
      await expect(client.query(mutantSql(mutant)), mutant).resolves.toBeDefined()
      await client.query('rollback')
    }
  } finally {
    await client.end()
    await kernel.close()
    await database.stop()
  }
})
