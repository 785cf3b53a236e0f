import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CommandBench, openCommandBench } from '../testing/command.ts'

let bench: CommandBench
beforeEach(async () => {
  bench = await openCommandBench('2026-08-01T12:00:00.000Z')
})
afterEach(() => bench.close())

it('says how often the product asks as it is installed, for each person and held out', async () => {
  const { text } = await bench.command(['status'])
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'Asks 21, 12, 10 times in 100 calls of our test weeks (developer, office, household); held out 23, 13, 8',
  )
})
