/** One run of the proof of schedules, in this process. */
import { createRandom } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { audit } from './audit.ts'
import { makeJobs } from './jobs.ts'
import { liveYear } from './year.ts'

const start = Date.parse('2026-01-01T09:17:23Z')
const day = 24 * 60 * 60_000
/** With fewer jobs a year is lived through in fewer pieces. */
const mostRestarts = 50

export async function runSchedule({
  n,
  seed,
  log,
}: Pick<SuiteOptions, 'n' | 'seed' | 'log'>): Promise<SuiteResult> {
  const random = createRandom(seed)
  const jobs = makeJobs(random, start, n)
  const end = start + 365 * day
  const restarts = Math.min(mostRestarts, 10 + Math.floor(n / 5))
  const lived = await liveYear({ jobs, start, end, restarts, random, log })
  log(
    `${lived.rows.length} occurrences, ${lived.admitted.length} runs, ${lived.kills} kills, ${lived.jumps} jumps`,
  )
  const { instants, runs, problems } = audit(jobs, lived, start, end)
  const states: Record<string, number> = {}
  for (const { state, reason } of lived.rows)
    states[`${state} ${reason}`] = (states[`${state} ${reason}`] ?? 0) + 1
  return {
    n: instants,
    failures: problems.length,
    details: {
      jobs: n,
      runs,
      kills: lived.kills,
      jumps: lived.jumps,
      ticks: lived.ticks,
      states,
      examples: problems.slice(0, 10),
    },
  }
}
