/**
 * Does every job with every hand and prints a table. `pnpm jobs [words …] [--hand touch]` does only those with these
 * words in their title or the name of their group, `--small` only the sample,
 * and `--list` none: it prints the table of the documentation.
 * Ends with 1 when one could not be done.
 */
import { parseArgs } from 'node:util'
import build from '../built-pages.ts'
import { type HandName, handNames } from './hands.ts'
import type { Job } from './job.ts'
import { jobGroups, jobTable, sample } from './list.ts'
import { openDay, type WorkingDay } from './run.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hand: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
  },
})
if (values.list) {
  process.stdout.write(`${jobTable()}\n`)
  process.exit()
}
const hands = handNames.filter((name) => values.hand?.includes(name) ?? true)
const isWanted = (name: string) =>
  positionals.length === 0 || positionals.some((words) => name.toLowerCase().includes(words.toLowerCase()))
const groups = jobGroups
  .map(({ name, jobs }) => ({
    name,
    jobs: jobs.filter(
      (job) => (isWanted(name) || isWanted(job.title)) && (!values.small || sample.includes(job)),
    ),
  }))
  .filter(({ jobs }) => jobs.length > 0)
const all = groups.flatMap(({ jobs }) => jobs)
const wide = Math.max(...all.map(({ title }) => title.length), 10)
let failed = 0

await build()
const day = await openDay()
try {
  for (const { name, jobs } of groups) {
    line(name, hands)
    for (const job of jobs) await doWith(day, job)
  }
} finally {
  await day.close()
}
const done = all.length * hands.length - failed
process.stdout.write(
  `${String(all.length)} jobs, ${String(hands.length)} hands: ${String(done)} passed, ${String(failed)} failed\n`,
)
process.exitCode = failed === 0 ? 0 : 1

async function doWith(on: WorkingDay, job: Job): Promise<void> {
  const problems: string[] = []
  const cells: string[] = []
  for (const name of hands) {
    const began = performance.now()
    const problem = await problemOf(on, job, name)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    cells.push(`${problem === null ? 'pass' : 'FAIL'} ${seconds} s`)
    if (problem !== null) problems.push(`  ${name}: ${problem}`)
  }
  failed += problems.length
  line(`  ${job.title}`, cells)
  for (const problem of problems) process.stdout.write(`${problem}\n`)
}

async function problemOf(on: WorkingDay, job: Job, name: HandName): Promise<string | null> {
  try {
    await on.does(name, job)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function line(title: string, cells: readonly string[]): void {
  const row = cells.map((cell) => cell.padEnd(12)).join(' ')
  process.stdout.write(`${title.padEnd(wide + 4)} ${row.trimEnd()}\n`)
}
