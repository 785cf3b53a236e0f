/** Runs trials and their controls in one process. */
import { createRandom } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { openBench } from './bench.ts'
import { makeTrial } from './trial.ts'

export async function runTrials({ n, seed, log }: Omit<SuiteOptions, 'mutant'>): Promise<SuiteResult> {
  const random = createRandom(seed)
  const bench = await openBench()
  const wrong: string[] = []
  const kinds: Record<string, number> = {}
  const caught: Record<string, number> = {}
  try {
    for (let index = 0; index < n; index += 1) {
      const trial = makeTrial(random, { ...bench.canaries, named: bench.named }, index)
      kinds[trial.kind] = (kinds[trial.kind] ?? 0) + 1
      const seen = await bench.attempt(trial)
      if (seen.length > 0) {
        caught[trial.kind] = (caught[trial.kind] ?? 0) + 1
        wrong.push(`${trial.kind}, ${trial.how}, ${JSON.stringify(trial.url)}: ${seen.join('; ')}`)
      }
      const missed = await bench.control(random)
      if (missed.length > 0) wrong.push(`control: ${missed.join('; ')}`)
      if (index % 500 === 499) log(`${index + 1} trials, ${wrong.length} wrong`)
    }
    const late = await bench.settle()
    if (late.length > 0) wrong.push(`at the end: ${late.join('; ')}`)
  } finally {
    bench.close()
  }
  return {
    n: n * 2,
    failures: wrong.length,
    details: { kinds, ...(wrong.length === 0 ? {} : { caught }), examples: wrong.slice(0, 10) },
  }
}
