import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlanTestKernel, type PlanTestKernel } from '../plans/testing/test-kernel.ts'
import { createMissedEndings } from './missed-endings.ts'

let testKernel: PlanTestKernel
beforeAll(async () => {
  testKernel = await openPlanTestKernel()
})
afterAll(() => testKernel.close())

test('a plan whose end was not heard is told it again, a minute later and once', async () => {
  const { operator } = testKernel
  const { records } = testKernel.kernel()
  const by = { kind: 'operator', id: 'desk' } as const
  const step = { type: 'tool_call' as const, id: 'look', name: 'Look', tool: 'look', args: {} }
  const { id } = (await testKernel.plans().add({ name: 'Look', steps: [step] } as never, by)).plan
  await testKernel.plans().execute(id, undefined, by)
  await testKernel.reaches(id, 'completed')
  // As if the room had failed when it was told.
  await records.change(operator, async ({ records: rows }) => {
    const found = await rows.get('plans', id)
    if (found) await rows.replace('plans', id, found.version, { ...found.data, status: 'in_progress' }, null)
  })
  let ahead = 0
  const endings = createMissedEndings({
    context: {
      operator,
      records,
      clock: () => new Date(Date.now() + ahead),
      uuid: () => crypto.randomUUID(),
      zone: 'UTC',
      onProblem: (problem) => {
        throw problem
      },
    },
    tell: async (tx, run, end) => {
      await testKernel.plans().ended(tx, run, end)
    },
  })
  expect(await endings.mend()).toBe(0)
  ahead = 120_000
  expect(await endings.mend()).toBe(1)
  expect((await testKernel.plans().detail(id)).plan.status).toBe('completed')
  expect(await endings.mend()).toBe(0)
})
