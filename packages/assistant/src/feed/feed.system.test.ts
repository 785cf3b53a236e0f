import { type Label, noteLabel } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../health/testing/test-database.ts'
import { createFeed, type Feed } from './feed.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }
let testDatabase: TestDatabase
let feed: Feed
beforeAll(async () => {
  testDatabase = await openTestDatabase()
})
afterAll(() => testDatabase.close())
beforeEach(async () => {
  await testDatabase.begin()
  feed = createFeed({ context: testDatabase.context(), post: testDatabase.post })
})

async function labelOfFeed(goal: string): Promise<Label | undefined> {
  const actor = { kind: 'gateway', id: 'test' } as const
  await testDatabase.act(async (tx) =>
    tx.record({ type: 'goal.completed', actor, data: { goal, title: 'Boats' } }),
  )
  const request = { requester: { kind: 'operator', id: 'desk' }, worded: true } as const
  await testDatabase.act((tx) => feed.make(tx, request))
  return testDatabase.posted.at(-1)?.label
}

test('the words of a feed are worth what the goals are that they name, and nothing where one is gone', async () => {
  await testDatabase.act(async ({ records }) => {
    await records.insert('goals', 'goal_own', { title: 'Boats' }, null)
    await records.insert('goals', 'goal_foreign', { title: 'Boats' }, untrusted)
  })
  expect(await labelOfFeed('goal_own')).toEqual(noteLabel)
  expect(await labelOfFeed('goal_foreign')).toEqual(untrusted)
  expect((await labelOfFeed('goal_gone'))?.integrity).toBe('untrusted')
})
