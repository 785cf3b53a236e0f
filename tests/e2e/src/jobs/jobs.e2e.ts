/** A sample of the jobs, by every hand; a small run does each by one hand, in turn. `pnpm jobs` does all of them. */
import { afterAll, beforeAll, test } from 'vitest'
import { isSmall, sampled } from '../../../size.ts'
import { handNames } from './hands.ts'
import { sample } from './list.ts'
import { openDay, type WorkingDay } from './run.ts'

let day: WorkingDay

beforeAll(async () => {
  day = await openDay()
})
afterAll(() => day.close())

const pairs = sampled(sample, 2)
  .flatMap((job, at) => handNames.map((hand, turn) => ({ job, hand, at, turn })))
  .filter(({ at, turn }) => !isSmall || turn === at % handNames.length)

test.each(pairs)('$job.title, by $hand', ({ job, hand }) => day.does(hand, job))
