/** The command: mutates the parts that guard the door, runs their tests, and prints one line of JSON for each part. */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestDatabase } from '../../harness/src/postgres.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { besideFirst, filesOf, type Part, parts, testsOf } from './parts.ts'
import type { TrialEnd } from './runner.ts'
import { interval95, type JudgedMutant, judgementOf, sampleOf } from './score.ts'
import { openTrials, type Trials } from './trials.ts'

const help = `Usage: pnpm mutation [options]

Makes small faults in the code and runs the tests on each. Prints one line of JSON for each part and a table of the
faults that no test noticed. Ends with 1 when fewer than 85 % were noticed.

Options:
  --part <name>   ${parts.map(({ name }) => name).join(', ')} (default: all); may be given more than once
  --file <path>   mutates only files whose path ends with this
  --line <number> mutates only this line
  --tests <glob>  lets only these tests decide, in place of the part's; may be given more than once
  --n <number>    how many mutants of each part (default: all)
  --seed <number> repeats the choice of an earlier run; printed with every result
  --minutes <n>   stops each part after this time and reports the sample that it got through
  --small         20 mutants of the parts that need no database
  --list          prints the mutants and runs nothing
`

const repository = dirname(dirname(dirname(import.meta.dirname)))
const least = 0.85
const say = (line: string) => process.stderr.write(`${line}\n`)
const print = (line: string) => process.stdout.write(`${line}\n`)

interface Survivor {
  readonly mutant: Mutant
  readonly seconds: number
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      part: { type: 'string', multiple: true },
      file: { type: 'string', default: '' },
      line: { type: 'string' },
      tests: { type: 'string', multiple: true },
      n: { type: 'string' },
      seed: { type: 'string' },
      minutes: { type: 'string' },
      small: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const seed = Number(values.seed ?? randomInt(2 ** 31))
  const n = Number(values.n ?? (values.small ? 10 : Number.POSITIVE_INFINITY))
  const chosen = parts
    .filter(({ name }) =>
      values.small ? ['policy', 'verify'].includes(name) : (values.part ?? [name]).includes(name),
    )
    .map((part) => ({ ...part, tests: values.tests ?? part.tests }))
  const minutes = Number(values.minutes ?? Number.POSITIVE_INFINITY)
  if (values.help || chosen.length === 0 || [seed, n, minutes].some(Number.isNaN)) {
    process.stdout.write(help)
    return values.help ? 0 : 2
  }
  const judged = JSON.parse(
    readFileSync(join(import.meta.dirname, '../equivalent.json'), 'utf8'),
  ) as JudgedMutant[]
  const database = chosen.some(needsDatabase) && !values.list ? await startTestDatabase() : null
  const trials = openTrials({ repository, database: database?.administrator ?? null })
  const bounds = new Map<string, number>()
  let enough = true
  try {
    for (const part of chosen) {
      const made = filesOf(part, repository)
        .filter((file) => file.endsWith(values.file))
        .flatMap((file) => mutantsOf(file, readFileSync(join(repository, file), 'utf8')))
        .filter(({ line }) => values.line === undefined || line === Number(values.line))
      if (values.list) for (const mutant of made) print(described(mutant))
      else if (made.length > 0)
        enough = (await scored(part, made, judged, { n, seed, minutes, bounds }, trials)) && enough
    }
  } finally {
    await trials.close()
    await database?.stop()
  }
  return enough ? 0 : 1
}

function needsDatabase(part: Part): boolean {
  return testsOf(part, repository).some((test) =>
    readFileSync(join(repository, test), 'utf8').includes('startTestDatabase'),
  )
}

async function scored(
  part: Part,
  made: readonly Mutant[],
  judged: readonly JudgedMutant[],
  { n, seed, minutes, bounds }: { n: number; seed: number; minutes: number; bounds: Map<string, number> },
  trials: Trials,
): Promise<boolean> {
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 100) / 10
  const meaningful = made.filter((mutant) => !judgementOf(mutant, judged))
  const chosen = sampleOf(meaningful, n, seed)
  const sample: Mutant[] = []
  const tests = testsOf(part, repository)
  if (tests.length === 0) throw new Error(`No test matches ${part.tests.join(', ')}.`)
  const boundMs = await boundOf(part, tests, trials, bounds)
  const survivors: Survivor[] = []
  let timeouts = 0
  let lastFailed: TrialEnd['failed']
  for (const mutant of chosen) {
    if (seconds() > minutes * 60) break
    sample.push(mutant)
    const since = performance.now()
    const { file, source } = mutant
    const trial = { mutant: { file, source }, tests: besideFirst(tests, file) }
    const end = await trials.run(trial, boundMs)
    const took = Math.round((performance.now() - since) / 100) / 10
    if (end === null) timeouts += 1
    if (end?.failed) lastFailed = end.failed
    if (end?.passed) survivors.push({ mutant, seconds: took })
    const outcome = outcomeOf(end)
    say(
      `${sample.length}/${chosen.length} ${outcome} ${took} s  ${described(mutant)}  ${end?.failed?.title ?? ''}`,
    )
  }
  if (lastFailed) await passOrThrow(part, [lastFailed.test], trials)
  const killed = sample.length - survivors.length
  const score = killed / sample.length
  const interval = sample.length === meaningful.length ? null : interval95(killed, sample.length).map(percent)
  print(
    JSON.stringify({
      part: part.name,
      of: made.length,
      equivalent: made.length - meaningful.length,
      mutants: sample.length,
      killed,
      survived: survivors.length,
      timeouts,
      score: percent(score),
      interval95: interval,
      seconds: seconds(),
      seed,
    }),
  )
  for (const { mutant } of survivors) print(`  ${described(mutant)}`)
  return score >= least
}

/** A mutant gets four times as long as the code as it is. Parts with the same tests share the measurement. */
async function boundOf(
  part: Part,
  tests: readonly string[],
  trials: Trials,
  bounds: Map<string, number>,
): Promise<number> {
  const key = tests.join()
  const known = bounds.get(key)
  if (known !== undefined) return known
  const since = performance.now()
  await passOrThrow(part, tests, trials)
  const took = performance.now() - since
  say(`${part.name}: ${tests.length} test files pass in ${(took / 1000).toFixed(1)} s`)
  const bound = Math.round(4 * took) + 20_000
  bounds.set(key, bound)
  return bound
}

/** A test that fails without a mutant would kill every one of them. */
async function passOrThrow({ name }: Part, tests: readonly string[], trials: Trials): Promise<void> {
  const end = await trials.run({ tests }, 600_000)
  if (end?.passed) return
  const what = end?.failed ? `${end.failed.test}: ${end.failed.title}` : 'they do not come to an end'
  throw new Error(`The tests of ${name} fail without a mutant. ${what}`)
}

function outcomeOf(end: TrialEnd | null): string {
  if (end === null) return 'timeout'
  if (!end.passed) return 'killed'
  return end.loaded ? 'SURVIVED' : 'SURVIVED (no test loads the file)'
}

function percent(share: number): number {
  return Math.round(share * 1000) / 10
}

function described({ file, line, kind, text, from, to }: Mutant): string {
  const flat = (value: string) => {
    const oneLine = value.replaceAll(/\s+/g, ' ')
    return oneLine.length > 60 ? `${oneLine.slice(0, 57)}...` : oneLine
  }
  return `${file}:${line} [${kind}] ${flat(from)} -> ${flat(to) || '(nothing)'} | ${flat(text)}`
}
