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
      ...(n < leastForRaces ? [] : [await tryRaces(bench, { seconds: secondsFor(n), seed, log })]),
    ]
    const wrong = parts.flatMap((part) => part.wrong)
    return {
      n: parts.reduce((sum, part) => sum + part.n, 0),
      failures: wrong.length,
      details: {
        ...Object.assign({}, ...parts.map((part) => part.details)),
        examples: worstOf(wrong),
      },
    }
  } finally {
    await bench.close()
  }
}

/** A run for a mutant is about what is certain, not about what is fast. */
const leastForRaces = 500

/** Of each race: ten at the full size. */
function secondsFor(n: number): number {
  return Math.min(10, 0.5 + n / 2000)
}

/** What changed outside comes first. */
function worstOf(wrong: readonly string[]): string[] {
  const different = [...new Set(wrong)]
  const changes = different.filter((line) => line.includes('outside: '))
  return [...changes.slice(0, 5), ...different.filter((line) => !changes.includes(line))].slice(0, 10)
}
