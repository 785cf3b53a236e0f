import { expect, it } from 'vitest'
import { schedule } from './schedule.ts'

it('loses no instant of a year and begins none twice, whatever is killed', { timeout: 120_000 }, async () => {
  const { failures, details } = await schedule.run({ n: 20, seed: 5, log: () => undefined })
  expect(failures, JSON.stringify(details)).toBe(0)
})
