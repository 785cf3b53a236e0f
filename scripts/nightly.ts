/** Runs what is too long for every change, one after the other, and prints one table. */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repository } from './workspace.ts'

interface Job {
  readonly name: string
  readonly about: string
  readonly command: readonly string[]
  readonly small: readonly string[]
}

const jobs: readonly Job[] = [
  job('proofs', 'every proof at its full size', ['prove', 'all'], ['--small']),
  job('mutants', 'every mutant of every proof is caught', ['prove', '--meta'], []),
  job('properties', 'every test, with values that no run has tried', ['test'], []),
  job('e2e', 'every screen in every state, in a browser', ['test:e2e'], []),
  job('lighthouse', 'how quick and how open to everybody five screens are', ['lighthouse'], []),
  job('jobs', 'every job of an operator by mouse, by keyboard and by touch', ['jobs'], ['--small']),
  job('bench', 'every bench against its goal', ['bench', 'all'], ['--small']),
  job('mutation', 'how many small faults the tests notice', ['mutation'], ['--small']),
  job('recall', 'how well memories are found', ['test:recall'], []),
  job('embeddings', 'the real embedding model', ['test:embeddings'], []),
  job('pgvector', 'the vector index on pgvector', ['test:pgvector'], []),
  job('local-model', 'a real small model end to end', ['test:local-model'], []),
]

const help = `Usage: pnpm nightly [job …] [--small]

Runs the long checks and prints one table. Ends with 1 when one failed. What each printed is in .cache/nightly.

Jobs (default: all):
${jobs.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}

Options:
  --small  the smallest size of those that have one

Examples:
  pnpm nightly
  pnpm nightly bench mutants
  pnpm nightly proofs --small
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const unknown = positionals.filter((name) => !jobs.some((each) => each.name === name))
if (values.help || unknown.length > 0) {
  process.stdout.write(unknown.length > 0 ? `There is no job ${unknown.join(', ')}.\n\n${help}` : help)
  process.exit(values.help ? 0 : 2)
}

const folder = join(repository, '.cache/nightly')
mkdirSync(folder, { recursive: true })
const rows: string[] = []
for (const each of jobs) {
  if (positionals.length > 0 && !positionals.includes(each.name)) continue
  process.stderr.write(`${each.name}: ${each.about}\n`)
  rows.push(run(each))
}
process.stdout.write(`${rows.join('\n')}\n`)

function run({ name, command, small }: Job): string {
  const log = join(folder, `${name}.log`)
  const output = openSync(log, 'w')
  const began = performance.now()
  const { status } = spawnSync('pnpm', ['--silent', ...command, ...(values.small ? small : [])], {
    cwd: repository,
    env: { FC_SEED: String(randomInt(2 ** 31)), ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', output, output],
  })
  if (status !== 0) process.exitCode = 1
  const seconds = Math.round((performance.now() - began) / 1000)
  const last = readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? ''
  return `${name.padEnd(12)} ${status === 0 ? 'passed' : 'failed'} ${String(seconds).padStart(6)} s  ${last.slice(0, 100)}`
}

function job(name: string, about: string, command: readonly string[], small: readonly string[]): Job {
  return { name, about, command, small }
}
