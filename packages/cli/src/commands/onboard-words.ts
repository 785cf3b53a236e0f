/** Owns how the steps of the first run are shown in a terminal. */
import type { Onboarding, SetupStep, SetupStepId, SetupStepOf } from '@countersign/contract'
import type { Context } from '../context.ts'
import { columns, indent } from '../output/columns.ts'
import { money, priceWords } from '../output/money.ts'
import { line, lines } from '../output/safe-text.ts'
import { shortId } from '../short-id.ts'

type Painting = Pick<Context, 'paint'>

export function stepIn<Id extends SetupStepId>(view: Onboarding, id: Id): SetupStepOf<Id> {
  const found = view.steps.find((step) => step.id === id)
  if (!found) throw new Error(`The gateway has no step ${id}.`)
  return found as SetupStepOf<Id>
}

export function heading(view: Onboarding, step: SetupStep, { paint }: Painting): string {
  const place = view.steps.findIndex(({ id }) => id === step.id) + 1
  return `\n${paint('strong', `${place} of ${view.total}  ${line(step.title)}`)}\n${paint('quiet', line(step.about))}\n`
}

export function summaryText(view: Onboarding, { paint }: Painting): string {
  const words = { todo: 'to do', done: 'done', skipped: 'skipped' } as const
  const rows = view.steps.map((step) => [
    paint(step.state === 'done' ? 'good' : 'quiet', words[step.state]),
    line(step.title),
    stepWords(step),
  ])
  const last =
    view.next === null
      ? 'Setup is complete. Talk to it with `countersign chat`.'
      : `${view.settled} of ${view.total} done. Continue with \`countersign onboard --resume\`.`
  return `${columns(rows)}\n\n${last}`
}

export function checkText({ data }: SetupStepOf<'check'>, { paint }: Painting): string {
  const ink = { ok: 'good', warning: 2, error: 'bad' } as const
  const rows = data.findings.map((finding) => [
    paint(ink[finding.severity], finding.severity),
    finding.title,
    line(finding.evidence),
  ])
  const fixes = data.findings
    .filter(({ fix }) => fix !== '')
    .map(({ title, fix }) => `${title}: ${line(fix)}`)
  return [indent(columns(rows)), ...fixes.map((fix) => indent(fix))].join('\n')
}

/** A reply of several lines stands in one, and a long one only begins there. */
function said(text: string): string {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  return words.length <= longestReply ? words : `${words.slice(0, longestReply).trimEnd()}…`
}

const longestReply = 160

export function chosenText({ data }: SetupStepOf<'model'>): string {
  const { chosen } = data
  if (chosen === null) return ''
  const took = `first word after ${Math.round(chosen.firstTokenMs ?? chosen.totalMs)} ms, ${Math.round(chosen.totalMs)} ms in total`
  return indent(
    columns([
      ['Model', line(chosen.ref)],
      ['Price', pricedAt(priceWords(chosen.price))],
      ['Test', `${took}, ${money(chosen.usd)}`],
      ['Says', line(said(chosen.text))],
    ]),
  )
}

export function ranText({ data }: SetupStepOf<'action'>): string {
  const { progress } = data
  if (!progress?.ran) return shortened(line(progress?.problem ?? 'It has not run yet.'))
  const { summary, call, undoable } = progress.ran
  return [
    `You approved it, and it is done: ${line(summary)}.`,
    `Why it ran: countersign why ${line(shortId(call))}`,
    ...(undoable && progress.run !== null
      ? [`Undo it: countersign run undo ${line(shortId(progress.run))}`]
      : []),
  ].join('\n')
}

export function reachText({ data }: SetupStepOf<'reach'>): string {
  return data.ways
    .map(({ title, about, approves, state, command }) =>
      [
        `  ${line(title)}${state === 'ready' ? '' : ', in the browser'}`,
        indent(`${line(about)} ${line(approves)}`, '    '),
        ...(command === undefined ? [] : [`    ${line(command)}`]),
      ].join('\n'),
    )
    .join('\n')
}

export function keepText({ data }: SetupStepOf<'keep'>): string {
  const shells = data.completions.map(({ shell, command }) => [shell, line(command)])
  return [
    indent(lines(data.preview)),
    ...(data.manager === 'none' ? [`  ${line(data.command)}`] : []),
    '',
    '  Completions for your shell:',
    indent(columns(shells), '    '),
  ].join('\n')
}

/** What a tool takes is for the model; a person wants to know what failed. */
function shortened(problem: string): string {
  return problem.length <= longestProblem ? problem : `${problem.slice(0, longestProblem).trimEnd()}…`
}

const longestProblem = 300

function pricedAt(words: string): string {
  return words.startsWith('$') ? `${words} a million tokens` : words
}

function stepWords(step: SetupStep): string {
  switch (step.id) {
    case 'you':
      return line(step.data.name ?? '')
    case 'model':
      return line(step.data.chosen?.ref ?? step.data.current ?? '')
    case 'safety':
      return step.state === 'done' ? `${step.data.level}, ${money(step.data.monthlyUsd)} a month at most` : ''
    case 'action':
      return line(step.data.progress?.ran?.headline ?? step.data.progress?.approval?.headline ?? '')
    case 'reach': {
      const { arrived } = step.data
      return arrived === null ? '' : arrived.kind === 'channel' ? line(arrived.name) : 'notifications'
    }
    case 'recipes':
      return line(
        step.data.recipes
          .filter(({ added }) => added)
          .map(({ name }) => name)
          .join(', '),
      )
    default:
      return ''
  }
}
