import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlanHouse, type PlanHouse } from '../plans/testing/house.ts'
import { createEndings } from './endings.ts'

let house: PlanHouse
beforeAll(async () => {
  house = await openPlanHouse()
})
afterAll(() => house.close())

test('a plan whose end was not heard is told it again, a minute later and once', async () => {
  const { operator } = house
  const { records } = house.kernel()
  const by = { kind: 'operator', id: 'desk' } as const
  const step = { type: 'tool_call' as const, id: 'look', name: 'Look', tool: 'look', args: {} }
  const { id } = (await house.plans().add({ name: 'Look', steps: [step] } as never, by)).plan
  await house.plans().execute(id, undefined, by)
  await house.reaches(id, 'completed')
  // As if the room had failed when it was told.
  await records.change(operator, async ({ records: rows }) => {
    const found = await rows.get('plans', id)
    if (found) await rows.replace('plans', id, found.version, { ...found.data, status: 'in_progress' }, null)
  })
  let ahead = 0
  const endings = createEndings({
    house: {
      operator,
      records,
      clock: () => new Date(Date.now() + ahead),
      uuid: () => crypto.randomUUID(),
      zone: 'UTC',
      onProblem: (problem) => {
        throw problem
      },
    },
    tell: async (hand, run, end) => {
      await house.plans().ended(hand, run, end)
    },
  })
  expect(await endings.mend()).toBe(0)
  ahead = 120_000
  expect(await endings.mend()).toBe(1)
  expect((await house.plans().detail(id)).plan.status).toBe('completed')
  expect(await endings.mend()).toBe(0)
})
