/** A sample of the jobs, by every hand. `pnpm jobs` does all of them. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { handNames } from './hands.ts'
import { sample } from './list.ts'
import { openDay, type WorkingDay } from './run.ts'

let day: WorkingDay

beforeAll(async () => {
  day = await openDay()
})
afterAll(() => day.close())

describe.each(sample)('$title', (job) => {
  test.each(handNames)('by %s', (name) => day.does(name, job))
})
