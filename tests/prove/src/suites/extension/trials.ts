/** Runs the families in turn, each hostile server once, and the honest ones beside them. */
import { createRandom } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { type ExtensionBench, openBench } from './bench.ts'
import { families } from './families.ts'
import type { Family } from './family.ts'
import { tryHonest } from './honest.ts'

/** Long enough for a busy machine. What must end sooner is in `slow`. */
const usualWaits = { startMs: 60_000, silentMs: 20_000, callMs: 60_000 }
const shortWaits = { startMs: 60_000, silentMs: 5_000, callMs: 1_500 }
/** From so many on, with every real server. */
const whole = 100

export async function runTrials({ n, seed, mutant, only, log }: SuiteOptions): Promise<SuiteResult> {
  const random = createRandom(seed)
  const isChosen = ({ name, mutants }: Family) =>
    (mutant === undefined || mutants.includes(mutant)) && (only === undefined || name.includes(only))
  const [usual, slow] = [families.usual.filter(isChosen), families.slow.filter(isChosen)]
  const all = [...usual, ...slow]
  const wrong: string[] = []
  const rounds = new Map<Family, number>()
  const turns = Array.from({ length: n }, (_, at) => all[at % all.length]).filter(
    (family) => family !== undefined,
  )

  async function tryAll(bench: ExtensionBench, some: readonly Family[]): Promise<void> {
    for (const [at, family] of turns.filter((each) => some.includes(each)).entries()) {
      const round = rounds.get(family) ?? 0
      rounds.set(family, round + 1)
      const name = bench.upcoming()
      try {
        for (const each of await family.attempt(bench, random, round))
          wrong.push(`${family.name} (${round}): ${each}`)
      } catch (error) {
        const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
        wrong.push(`${family.name} (${round}) could not be tried: ${why}`)
      }
      await bench.clear(name)
      if (at % 50 === 49) log(`${at + 1} hostile servers, ${wrong.length} wrong`)
    }
  }

  async function withBench(
    some: readonly Family[],
    waits: typeof usualWaits,
    more: (bench: ExtensionBench) => Promise<void> = async () => undefined,
  ): Promise<void> {
    if (some.length === 0) return
    const bench = await openBench(waits)
    try {
      await tryAll(bench, some)
      await more(bench)
    } finally {
      await bench.close()
    }
  }

  let honest = 0
  await withBench(usual, usualWaits, async (bench) => {
    if (mutant !== undefined || only !== undefined) return
    const outcome = await tryHonest(bench, {
      count: Math.max(6, Math.ceil(n / 5)),
      random,
      isWhole: n >= whole,
    })
    honest = outcome.n
    wrong.push(...outcome.wrong)
    log(`${outcome.n} honest tasks, ${outcome.wrong.length} wrong`)
  })
  await withBench(slow, shortWaits)
  return {
    n: turns.length,
    failures: wrong.length,
    details: {
      families: Object.fromEntries([...rounds].map(([{ name }, count]) => [name, count])),
      honest,
      examples: [...new Set(wrong)].slice(0, 20),
    },
  }
}
