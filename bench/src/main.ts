/** `pnpm bench <name>… [--small] [--rate <n>] [--json]`: one JSON line for each bench on stdout, readable lines on stderr. */
import { parseArgs } from 'node:util'
import { type Bench, type BenchResult, isMet, limitText } from './bench.ts'
import { adapters } from './benches/adapters.ts'
import { channels } from './benches/channels.ts'
import { context } from './benches/context.ts'
import { decide } from './benches/decide.ts'
import { embed } from './benches/embed.ts'
import { fanout } from './benches/fanout.ts'
import { idle } from './benches/idle.ts'
import { message } from './benches/message.ts'
import { model } from './benches/model.ts'
import { recall } from './benches/recall.ts'
import { servers } from './benches/servers.ts'
import { serversCost } from './benches/servers-cost.ts'
import { size } from './benches/size.ts'
import { start } from './benches/start.ts'
import { steps } from './benches/steps.ts'
import { tools } from './benches/tools.ts'
import { rounded } from './sample.ts'

const benches: readonly Bench[] = [
  decide,
  message,
  model,
  steps,
  tools,
  fanout,
  embed,
  context,
  recall,
  channels,
  adapters,
  servers,
  serversCost,
  start,
  idle,
  size,
]

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'boolean', default: false },
    rate: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const chosen = positionals.includes('all')
  ? benches
  : benches.filter((bench) => positionals.includes(bench.name))
const unknown = positionals.filter((name) => name !== 'all' && !benches.some((bench) => bench.name === name))
const say = (line: string): void => {
  if (!flags.json) process.stderr.write(`${line}\n`)
}

if (flags.help) {
  process.stdout.write(usage())
  process.exit()
}
const rate = flags.rate === undefined ? undefined : Number(flags.rate)
const isRate = rate === undefined || (Number.isInteger(rate) && rate >= 1 && rate <= 1_000)
if (chosen.length === 0 || unknown.length > 0 || !isRate) {
  process.stderr.write(usage())
  process.exit(2)
}
for (const bench of chosen) if (!(await runBench(bench))) process.exitCode = 1
// A client that is still being closed must not keep the result waiting.
process.exit()

function usage(): string {
  const rows = [...benches, { name: 'all', about: 'every one of them' }]
  const width = Math.max(...rows.map(({ name }) => name.length))
  return [
    'pnpm bench <name>… [--small] [--rate <n>] [--json]',
    '',
    ...rows.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    '',
    '--small     shorter, for a busy machine',
    '--rate <n>  messages a second, for channels',
    '--json      the results alone',
    '',
  ].join('\n')
}

async function runBench(bench: Bench): Promise<boolean> {
  try {
    return report(bench, await bench.run({ small: flags.small, rate, note: say }))
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    process.stdout.write(`${JSON.stringify({ bench: bench.name, error: problem, met: false })}\n`)
    say(`${bench.name}: could not be measured. ${problem}`)
    return false
  }
}

function report(bench: Bench, { figures, goals }: BenchResult): boolean {
  const slack = flags.small ? 'small' : 'none'
  const target = Object.fromEntries(goals.map((goal) => [goal.name, limitText(goal)]))
  const missed = goals.filter((goal) => !isMet(goal, 'none')).map((goal) => goal.name)
  const met = goals.every((goal) => isMet(goal, slack))
  const mode = flags.small ? 'small' : 'full'
  process.stdout.write(`${JSON.stringify({ bench: bench.name, mode, figures, target, missed, met })}\n`)
  for (const goal of goals) {
    const state = isMet(goal, 'none')
      ? 'met'
      : isMet(goal, slack)
        ? 'missed, within the slack of a small run'
        : 'MISSED'
    say(`${bench.name}: ${goal.name} ${rounded(goal.value)} (${limitText(goal)}) ${state}`)
  }
  return met
}
