/** Puts the parts of the suite together: what is judged, what is run as text, and an installation in which nothing runs. */
import { createRandom } from '../../../../../packages/executor/src/testing/random.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { openBench } from './bench.ts'
import { readCommands } from './commands.ts'
import { tryFloods } from './floods.ts'
import { tryFreeWrites } from './free-writes.ts'
import { type ExecPart, judgeControls, judgeDoors, judgeShell } from './judging.ts'
import { tryPrograms } from './programs.ts'
import { tryRaces } from './races.ts'
import { tryRepositories } from './repositories.ts'
import { tryViews } from './views.ts'
import { tryInstallation } from './whole-installation.ts'
import { wrappers } from './wrappers.ts'

/** Below this size, as for a mutant, calls are only judged. */
const leastForPrograms = 200
/** From this size on also floods that take long. */
const leastForLarge = 2_000

export async function runTrials({ n, seed, log }: SuiteOptions, mutation?: string): Promise<SuiteResult> {
  const random = createRandom(seed)
  const commands = readCommands()
  const share = Math.min(1, n / (commands.length * Object.keys(wrappers).length))
  const some = (whole: number, least: number) => Math.max(least, Math.ceil(whole * share))
  const parts: ExecPart[] = []
  const bench = await openBench()
  try {
    parts.push(await judgeControls(bench))
    parts.push(await judgeShell(bench, commands, { count: n, random }))
    log(`${parts.at(-1)?.n} judgements of shell commands`)
    parts.push(
      await judgeDoors(bench, commands, { count: some(commands.length, 5), runs: some(40, 3), random }),
    )
    log(`${parts.at(-1)?.n} judgements at other doors`)
    parts.push(await tryFreeWrites(bench, { count: some(600, 40), random }))
    log(`${parts.at(-1)?.n} ways to leave something that the host runs`)
    // A program takes a good part of a second, so a small run has a few of each; a mutant meets them all.
    const isMutant = n < leastForPrograms
    parts.push(await tryViews(bench, { count: isMutant ? 16 : some(400, 10), random }))
    parts.push(await tryRaces(bench, { count: isMutant ? 12 : some(240, 6), random }))
    parts.push(
      await tryFloods(bench, { isLarge: n >= leastForLarge, isSmall: !isMutant && n < leastForLarge }),
    )
    log(`${parts.slice(-3).reduce((sum, part) => sum + part.n, 0)} programs that play with their layer`)
    if (n >= leastForPrograms) {
      parts.push(await tryRepositories(bench, { count: some(100, 3), random }))
      parts.push(await tryPrograms(bench))
    }
  } finally {
    await bench.close()
  }
  if (n >= leastForPrograms) {
    const installation = { commands, count: some(60, 10), random }
    parts.push(await tryInstallation({ ...installation, ...(mutation === undefined ? {} : { mutation }) }))
  }
  const wrong = parts.flatMap((part) => part.wrong)
  return {
    n: parts.reduce((sum, part) => sum + part.n, 0),
    failures: wrong.length,
    details: {
      commands: commands.length,
      ...Object.assign({}, ...parts.map((part) => part.details)),
      examples: [...new Set(wrong)].slice(0, 10),
    },
  }
}
