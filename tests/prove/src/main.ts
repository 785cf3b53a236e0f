/** The command: runs suites and prints one line of JSON for each, progress on standard error. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Suite, type SuiteEntry, suites } from './index.ts'
import { runAtOnce } from './jobs.ts'

const help = `Usage: pnpm prove <suite> | all | --meta [options]

Runs trials against the real parts and prints one line of JSON for each suite. Ends with 1 when a trial failed.
With no failure in n trials, the true rate is below 3/n with 95 % confidence: that is "bound95".

Suites: ${suites.map(({ name, unit }) => `\n  ${name.padEnd(16)} n counts ${unit}`).join('')}

Options:
  --n <number>     how many trials; each suite has its own default
  --seed <number>  repeats the choices of an earlier run; printed with every result
  --only <text>    only the trials whose name holds it, in suites that have names for them (week: "part task"; adversary and holes: an attack)
  --mutant <name>  breaks the part in a known way; a suite that is worth something then reports failures
  --small          the sizes that fit into every check
  --jobs <number>  how many suites run at once (default: 1)
  --except <name>  leaves a suite out of all; can be given again
  --meta           runs every suite (or the one named) with each of its mutants; ends with 0 when all are caught

Examples:
  pnpm prove permit-mutation --n 100000
  pnpm prove kill --n 60 --seed 7
  pnpm prove kill --n 6 --mutant forgetful-replay
  pnpm prove all --small --jobs 2
  pnpm prove --meta
`

interface Settings {
  readonly n: number
  readonly seed: number
  readonly mutant?: string
  readonly only?: string
}

const say = (line: string) => process.stderr.write(`${line}\n`)
const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)

process.exitCode = await main()
process.exit()

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      n: { type: 'string' },
      seed: { type: 'string' },
      mutant: { type: 'string' },
      only: { type: 'string' },
      small: { type: 'boolean', default: false },
      jobs: { type: 'string', default: '1' },
      except: { type: 'string', multiple: true, default: [] },
      meta: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [name = values.meta ? 'all' : undefined] = positionals
  if (values.help || name === undefined) {
    process.stdout.write(help)
    return values.help ? 0 : 2
  }
  const unknown = [name, ...values.except].find((each) => each !== 'all' && !isSuite(each))
  const chosen = suites.filter(
    (entry) => (name === 'all' || entry.name === name) && !values.except.includes(entry.name),
  )
  const seed = numberOf(values.seed) ?? randomInt(2 ** 31)
  const n = numberOf(values.n)
  const jobs = numberOf(values.jobs) ?? 1
  if (unknown !== undefined || [seed, n, jobs].some(Number.isNaN)) {
    say(
      unknown === undefined
        ? 'A number is expected after --n, --seed and --jobs.'
        : `There is no suite ${unknown}.`,
    )
    say('Run `pnpm prove --help` to see what there is.')
    return 2
  }
  if (jobs > 1 && chosen.length > 1) {
    const options = [
      ...(values.n === undefined ? [] : ['--n', values.n]),
      ...(values.small ? ['--small'] : []),
      ...(values.meta ? ['--meta'] : []),
      '--seed',
      String(seed),
    ]
    const names = chosen.map((entry) => entry.name)
    return (await runAtOnce(jobs, names, options)) ? 0 : 1
  }
  let failed = false
  for (const entry of chosen) {
    const suite = await entry.load()
    if (values.meta) {
      if (!(await areMutantsCaught(entry, suite, seed))) failed = true
      continue
    }
    const { mutant, only } = values
    if (mutant !== undefined && !suite.mutants.includes(mutant)) {
      say(`${suite.name} has no mutant ${mutant}. It has ${suite.mutants.join(', ')}.`)
      return 2
    }
    const size = n ?? (values.small ? entry.smallSize : suite.defaultSize)
    const line = await runOne(suite, {
      n: size,
      seed,
      ...(mutant === undefined ? {} : { mutant }),
      ...(only === undefined ? {} : { only }),
    })
    print(line)
    if (line.failures > 0) failed = true
  }
  return failed ? 1 : 0
}

async function areMutantsCaught(entry: SuiteEntry, suite: Suite, seed: number): Promise<boolean> {
  let all = true
  for (const mutant of suite.mutants) {
    const { details: _, ...line } = await runOne(suite, { n: entry.mutantSize, seed, mutant })
    const caught = line.failures > 0
    print({ ...line, caught })
    if (!caught) all = false
  }
  return all
}

async function runOne(suite: Suite, settings: Settings) {
  say(
    `${suite.name}${settings.mutant ? ` with ${settings.mutant}` : ''}: n ${settings.n}, seed ${settings.seed}`,
  )
  const began = performance.now()
  const { n, failures, details } = await suite.run({ ...settings, log: (line) => say(`  ${line}`) })
  return {
    suite: suite.name,
    n,
    failures,
    bound95: failures === 0 ? 3 / n : null,
    seed: settings.seed,
    ...(settings.mutant === undefined ? {} : { mutant: settings.mutant }),
    seconds: Math.round((performance.now() - began) / 100) / 10,
    ...(details === undefined ? {} : { details }),
  }
}

function isSuite(name: string): boolean {
  return suites.some((entry) => entry.name === name)
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number.parseInt(text, 10)
}
