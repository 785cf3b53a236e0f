/** Puts the parts of the suite together: paths, changes at the worst moment, and races. */
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { openBench } from './bench.ts'
import { tryMoments } from './moments.ts'
import { tryRaces } from './races.ts'
import { tryPaths } from './strings.ts'

export async function runTrials({ n, seed, log }: SuiteOptions): Promise<SuiteResult> {
  const bench = await openBench()
  try {
    const parts = [
      await tryPaths(bench, { count: n, seed, log }),
      await tryMoments(bench),
      await tryRaces(bench, { seconds: secondsFor(n), seed, log }),
    ]
    const wrong = parts.flatMap((part) => part.wrong)
    return {
      n: parts.reduce((sum, part) => sum + part.n, 0),
      failures: wrong.length,
      details: { ...Object.assign({}, ...parts.map((part) => part.details)), examples: wrong.slice(0, 10) },
    }
  } finally {
    await bench.close()
  }
}

/** Of each race: ten at the full size. */
function secondsFor(n: number): number {
  return Math.min(10, 0.5 + n / 2000)
}
