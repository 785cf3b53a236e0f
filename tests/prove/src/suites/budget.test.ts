import { expect, it } from 'vitest'
import { budget } from './budget.ts'

it('lets no limit be passed and no call be missing from the books', { timeout: 180_000 }, async () => {
  const { failures, details } = await budget.run({ n: 20, seed: 11, log: () => undefined })
  expect(failures, JSON.stringify(details)).toBe(0)
  expect(details).toMatchObject({ kills: 1 })
})
