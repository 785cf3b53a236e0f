import { type Label, noteLabel } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestHouse, type TestHouse } from '../health/testing/house.ts'
import { createFeed, type Feed } from './feed.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }
let house: TestHouse
let feed: Feed
beforeAll(async () => {
  house = await openTestHouse()
})
afterAll(() => house.close())
beforeEach(async () => {
  await house.begin()
  feed = createFeed({ house: house.house(), post: house.post })
})

async function labelOfFeed(goal: string): Promise<Label | undefined> {
  const actor = { kind: 'gateway', id: 'test' } as const
  await house.act(async (hand) =>
    hand.record({ type: 'goal.completed', actor, data: { goal, title: 'Boats' } }),
  )
  const request = { requester: { kind: 'operator', id: 'desk' }, worded: true } as const
  await house.act((hand) => feed.make(hand, request))
  return house.posted.at(-1)?.label
}

test('the words of a feed are worth what the goals are that they name, and nothing where one is gone', async () => {
  await house.act(async ({ records }) => {
    await records.insert('goals', 'goal_own', { title: 'Boats' }, null)
    await records.insert('goals', 'goal_foreign', { title: 'Boats' }, untrusted)
  })
  expect(await labelOfFeed('goal_own')).toEqual(noteLabel)
  expect(await labelOfFeed('goal_foreign')).toEqual(untrusted)
  expect((await labelOfFeed('goal_gone'))?.integrity).toBe('untrusted')
})
