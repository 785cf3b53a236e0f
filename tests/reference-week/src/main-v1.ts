/** Owns what the command does with the first corpus: one person, one line of figures. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { causesOf } from './causes.ts'
import { type Corpus, readCorpus } from './corpus.ts'
import { labelledAsInstalled } from './labels.ts'
import { breachesOf, detailsOf, jsonOf, lineOf, measure, type WeekMeasurement } from './measure.ts'
import { compiledFor } from './policy.ts'
import { replay } from './replay.ts'

const shown = new URL('../../../packages/gateway/src/onboarding/reference-week.json', import.meta.url)
const readme = new URL('../../../README.md', import.meta.url)
const location = /(<!-- reference-week -->\n)([\s\S]*?)(\n<!-- \/reference-week -->)/
const print = (text: string) => process.stdout.write(`${text}\n`)

export interface PrintOptions {
  readonly details: boolean
  readonly causes: boolean
  readonly json: boolean
  readonly write: boolean
  readonly check: boolean
}

export function runFirst({ details, causes, json, write, check }: PrintOptions): number {
  const corpus = readCorpus()
  const measured = measure(corpus)
  print(json ? JSON.stringify(measured, null, 2) : lineOf(measured))
  if (details) printDetails(measured)
  if (causes) printCauses(corpus)
  if (write) writeFigures(measured)
  return check ? checkFigures(measured) : 0
}

function printDetails({ week, holdout }: WeekMeasurement): void {
  for (const line of [...detailsOf('Week', week), ...detailsOf('Held out', holdout)]) print(line)
}

function printCauses({ week, tool }: Corpus): void {
  const set = compiledFor('medium')
  const part = labelledAsInstalled(week, tool)
  for (const withSuggestions of [false, true]) {
    print(withSuggestions ? '\nWith the suggested grants' : '\nWithout grants')
    for (const cause of causesOf(replay({ part, set, withSuggestions, tool }).judged)) print(cause)
  }
  set.dispose()
}

function writeFigures(measured: WeekMeasurement): void {
  mkdirSync(new URL('.', shown), { recursive: true })
  writeFileSync(shown, jsonOf(measured))
  const text = readFileSync(readme, 'utf8')
  if (location.test(text))
    writeFileSync(
      readme,
      text.replace(location, (_, begin, _line, end) => `${begin}${lineOf(measured)}${end}`),
    )
  else
    print('README.md has no <!-- reference-week --> … <!-- /reference-week -->. Put it in, then write again.')
}

function checkFigures(measured: WeekMeasurement): number {
  const breaches = [measured.week, measured.holdout].flatMap(breachesOf)
  const problems: string[] = []
  if (!existsSync(shown) || readFileSync(shown, 'utf8') !== jsonOf(measured))
    problems.push('packages/gateway/src/onboarding/reference-week.json is not current.')
  if (location.exec(readFileSync(readme, 'utf8'))?.[2] !== lineOf(measured))
    problems.push('The line of the reference week in README.md is not current.')
  for (const problem of problems) print(problem)
  if (problems.length > 0) print('Look why, then: node tests/reference-week/src/main.ts --write')
  if (breaches.length > 0) print(`Ran without a question, and must not: ${breaches.join(', ')}`)
  return problems.length + breaches.length > 0 ? 1 : 0
}
