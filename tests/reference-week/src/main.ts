/** The command: replays the reference weeks and prints what they ask and what they let run. */
import { parseArgs } from 'node:util'
import { causesOf } from './causes.ts'
import { readCorpus } from './first/corpus.ts'
import { labelledAsInstalled } from './first/labels.ts'
import { measureFirst } from './first/measure.ts'
import { compiledFor } from './policy.ts'
import { askedAgainIn, breachesOf, notCurrent, writeFigures } from './published.ts'
import { replay } from './replay.ts'
import { figuresLine, partLines } from './report.ts'
import { causeLines, detailsOf } from './weeks/details.ts'
import { withoutLabels } from './weeks/dump.ts'
import { type Measure, measureWeeks } from './weeks/measure.ts'
import { readWritten } from './weeks/read-corpus.ts'

const help = `Usage: node tests/reference-week/src/main.ts [--part name] [--details] [--causes] [--json] [--write | --check]

  --json     all figures as JSON
  --part     one person or held-out part only, such as technical or office-held-out
  --details  what the weeks are made of
  --causes   what caused prompts, the most frequent first
  --dump     the calls without their labels, for whoever labels them anew
  --first    the first corpus: one person
  --write    writes the figures that are shown: in setup, README.md and the documentation
  --check    ends with 1 where these are not current, where something ran that must not run unasked,
             or where a scope that a card offered was asked about again
`

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    part: { type: 'string' },
    details: { type: 'boolean', default: false },
    causes: { type: 'boolean', default: false },
    dump: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const print = (text: string) => process.stdout.write(`${text}\n`)
const printAll = (lines: readonly string[]) => lines.forEach(print)

if (values.help) print(help)
else if (values.first) await runFirst()
else await runWeeks()

async function runWeeks(): Promise<void> {
  const corpus = readWritten()
  const parts = corpus.parts.filter(({ name }) => values.part === undefined || name === values.part)
  if (parts.length === 0) throw new Error(`There is no part ${values.part}.`)
  if (values.dump) {
    for (const { tasks, attacks } of parts) printAll([...tasks, ...attacks].map(withoutLabels))
    return
  }
  const isWhole = values.write || values.check
  const measured = await measureWeeks(corpus, isWhole ? undefined : values.part)
  if (values.json) print(JSON.stringify(measured, null, 2))
  else printAll(measured.parts.flatMap(partLines))
  if (values.details) for (const part of parts) printAll(await detailsOf(part, corpus))
  if (values.causes) for (const part of parts) printAll(await causeLines(part, corpus))
  if (values.write) writeFigures(measured)
  if (values.check) process.exitCode = check(measured)
}

async function runFirst(): Promise<void> {
  const corpus = readCorpus()
  const measured = await measureFirst(corpus)
  if (values.json) print(JSON.stringify(measured, null, 2))
  else printAll(measured.map((one) => figuresLine(one.part, one)))
  if (!values.causes) return
  const set = compiledFor('medium')
  const { calls } = await labelledAsInstalled(corpus.week, corpus.tool)
  printAll(causesOf(replay({ calls, set, tool: corpus.tool, withSuggestions: false }).judged))
  set.dispose()
}

function check(measured: Measure): number {
  const stale = notCurrent(measured)
  const breaches = breachesOf(measured)
  const again = askedAgainIn(measured)
  for (const file of stale) print(`${file} does not have these figures.`)
  if (stale.length > 0) print('Look why, then: node tests/reference-week/src/main.ts --write')
  if (breaches.length > 0) print(`Ran without a question, and must not: ${breaches.join(', ')}`)
  if (again.length > 0) print(`Asked again inside a scope that a card offered: ${again.join(', ')}`)
  return stale.length + breaches.length + again.length > 0 ? 1 : 0
}
