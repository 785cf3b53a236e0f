/** Owns the figures of the reference week, and the one line that says prompts and safety together. */
import { Autonomy } from '@countersign/contract'
import type { PolicySet } from '@countersign/policy'
import type { Corpus, Part } from './corpus.ts'
import { labelledAsInstalled } from './labels.ts'
import { compiledFor } from './policy.ts'
import { type Figures, figuresOf, replay, sinceSecondDay, unsafeInAnyOrder } from './replay.ts'
import { type TransplantResult, transplant } from './transplant.ts'

export interface PartFigures {
  /** The whole week without a grant. */
  readonly dayOne: Figures
  /** Without the first day, on which nothing could have been granted yet: without grants, and with the suggested ones. */
  readonly later: Figures
  readonly laterSuggested: Figures
  readonly grants: number
  /** What must not run unasked and did: in order, with and without grants, and with every grant from the first day on. */
  readonly unsafe: readonly string[]
  readonly transplanted: TransplantResult
}

export interface WeekMeasurement {
  readonly corpus: number
  readonly policy: string
  readonly week: PartFigures
  readonly holdout: PartFigures
  /** Calls of the week that ask at each level, without grants. */
  readonly asked: Readonly<Record<Autonomy, number>>
}

export function measure(corpus: Corpus): WeekMeasurement {
  const set = compiledFor('medium')
  const measured = {
    corpus: corpus.version,
    policy: set.hash.slice(0, 8),
    week: partFigures(corpus, corpus.week, set),
    holdout: partFigures(corpus, corpus.holdout, set),
    asked: askedAtLevels(corpus),
  }
  set.dispose()
  return measured
}

export function lineOf({ corpus, policy, week, holdout }: WeekMeasurement): string {
  const first = `As installed ${rate(week.dayOne)} prompts in 100 calls (held out ${rate(holdout.dayOne)})`
  const grants = `the suggested grants take it from ${rate(week.later)} to ${rate(week.laterSuggested)} (${rate(holdout.later)} to ${rate(holdout.laterSuggested)})`
  const safety = `${unsafeWords(week)} in any order (${unsafeWords(holdout)})`
  const attacks = `${ranWords(week)} transplanted attacks ran (${ranWords(holdout)})`
  return `${first}; ${grants}; ${safety}; ${attacks}. Policy ${policy}, corpus v${corpus}.`
}

/** The same figures with more behind them: cards before they are gathered in rows, what was needed, own work alone. */
export function detailsOf(
  name: string,
  { dayOne, later, laterSuggested, grants, transplanted }: PartFigures,
): string[] {
  const row = (title: string, figures: Figures) => {
    const { own, needed, calls, asked } = figures
    const ownRate = ((own.prompts / own.calls) * 100).toFixed(1)
    return `  ${title.padEnd(38)} ${rate(figures).padStart(5)} prompts/100 (${((asked / calls) * 100).toFixed(1)} cards/100), ${((needed / calls) * 100).toFixed(1)} needed; own work ${ownRate}/100`
  }
  return [
    name,
    row('the whole week without grants', dayOne),
    row('from the second day on, without grants', later),
    row(`the same with ${grants} suggested grants`, laterSuggested),
    `  transplanted attacks: ${transplanted.tried} tried, ${transplanted.ran.length} ran`,
  ]
}

/** Everything that ran and must not. */
export function breachesOf({ unsafe, transplanted }: PartFigures): string[] {
  return [...unsafe, ...transplanted.ran]
}

/** What setup shows beside the levels. */
export function jsonOf({ corpus, week, asked }: WeekMeasurement): string {
  return `${JSON.stringify({ version: corpus, calls: week.dayOne.calls, asked }, null, 2)}\n`
}

function partFigures(corpus: Corpus, asWritten: Part, set: PolicySet): PartFigures {
  const { tool } = corpus
  const part = labelledAsInstalled(asWritten, tool)
  const wish = { part, set, tool, withSuggestions: false }
  const bare = replay(wish)
  const granted = replay({ ...wish, withSuggestions: true })
  const [dayOne, suggested] = [bare, granted].map(({ judged }) => figuresOf(judged))
  if (!dayOne || !suggested) throw new Error('nothing was replayed')
  const { suggestions } = granted
  return {
    dayOne,
    later: figuresOf(sinceSecondDay(bare.judged)),
    laterSuggested: figuresOf(sinceSecondDay(granted.judged)),
    grants: suggestions.length,
    unsafe: [...new Set([...dayOne.unsafe, ...suggested.unsafe, ...unsafeInAnyOrder(wish, suggestions)])],
    transplanted: transplant(part, suggestions, set, tool),
  }
}

function askedAtLevels({ week, tool }: Corpus): Record<Autonomy, number> {
  const part = labelledAsInstalled(week, tool)
  const levels = Autonomy.options.map((level) => {
    const set = compiledFor(level)
    const { asked } = figuresOf(replay({ part, set, withSuggestions: false, tool }).judged)
    set.dispose()
    return [level, asked] as const
  })
  return Object.fromEntries(levels) as Record<Autonomy, number>
}

const unsafeWords = ({ unsafe, dayOne }: PartFigures) => `${unsafe.length} unsafe of ${dayOne.guarded}`
const ranWords = ({ transplanted }: PartFigures) => `${transplanted.ran.length} of ${transplanted.tried}`
const rate = ({ prompts, calls }: Figures) => ((prompts / calls) * 100).toFixed(1)
