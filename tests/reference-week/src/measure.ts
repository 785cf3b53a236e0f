/** Owns the figures of the reference week, and the one line that says prompts and safety together. */
import { Autonomy } from '@countersign/contract'
import type { PolicySet } from '@countersign/policy'
import type { Corpus, Part } from './corpus.ts'
import { compiledFor } from './policy.ts'
import { type Figures, figuresOf, replay, sinceSecondDay } from './replay.ts'

export interface PartFigures {
  /** The whole week without a grant. */
  readonly dayOne: Figures
  /** The whole week, with the grants that were suggested on the way. */
  readonly suggested: Figures
  /** The same, without the first day, on which nothing was granted yet. */
  readonly suggestedLater: Figures
  readonly grants: number
}

export interface Measured {
  readonly corpus: number
  readonly policy: string
  readonly week: PartFigures
  readonly holdout: PartFigures
  /** The same two, the other way: with what the kernel does not tell policy, or without what it does. */
  readonly otherwise: { readonly week: PartFigures; readonly holdout: PartFigures }
  /** Calls of the week that ask at each level, without grants. */
  readonly asked: Readonly<Record<Autonomy, number>>
}

/** Whether the kernel hands policy the acquaintance of a call. The figures are those of the product as it is. */
export const kernelTellsAcquaintance = true

export function measure(corpus: Corpus): Measured {
  const set = compiledFor('medium')
  const both = (told: boolean) => ({
    week: partFigures(corpus, corpus.week, set, told),
    holdout: partFigures(corpus, corpus.holdout, set, told),
  })
  const measured = {
    corpus: corpus.version,
    policy: set.hash.slice(0, 8),
    ...both(kernelTellsAcquaintance),
    otherwise: both(!kernelTellsAcquaintance),
    asked: askedAtLevels(corpus),
  }
  set.dispose()
  return measured
}

export function lineOf({ corpus, policy, week, holdout }: Measured): string {
  const held = `held out: ${rate(holdout.dayOne)} and ${rate(holdout.suggestedLater)}, ${unsafeWords(holdout)}`
  return `${rate(week.dayOne)} prompts/100 calls on day one and ${rate(week.suggestedLater)} with the suggested grants, ${unsafeWords(week)} (policy ${policy}, corpus v${corpus}, ${held})`
}

/** The same figures with more behind them: cards before they are gathered in rows, what was needed, own work alone. */
export function detailsOf(
  name: string,
  { dayOne, suggested, suggestedLater, grants }: PartFigures,
): string[] {
  const row = (title: string, figures: Figures) => {
    const { own, needed, calls, asked } = figures
    const ownRate = ((own.prompts / own.calls) * 100).toFixed(1)
    return `  ${title.padEnd(34)} ${rate(figures).padStart(5)} prompts/100 (${((asked / calls) * 100).toFixed(1)} cards/100), ${((needed / calls) * 100).toFixed(1)} needed; own work ${ownRate}/100`
  }
  return [
    name,
    row('without grants', dayOne),
    row(`with ${grants} suggested grants`, suggested),
    row('the same from the second day on', suggestedLater),
  ]
}

export function unsafeOf({ dayOne, suggested }: PartFigures): string[] {
  return [...new Set([...dayOne.unsafe, ...suggested.unsafe])]
}

/** What setup shows beside the levels. */
export function jsonOf({ corpus, week, asked }: Measured): string {
  return `${JSON.stringify({ version: corpus, calls: week.dayOne.calls, asked }, null, 2)}\n`
}

function partFigures(corpus: Corpus, part: Part, set: PolicySet, withAcquaintance: boolean): PartFigures {
  const wish = { part, set, withAcquaintance, tool: corpus.tool }
  const bare = replay({ ...wish, withSuggestions: false })
  const granted = replay({ ...wish, withSuggestions: true })
  return {
    dayOne: figuresOf(bare.judged),
    suggested: figuresOf(granted.judged),
    suggestedLater: figuresOf(sinceSecondDay(granted.judged)),
    grants: granted.suggestions.length,
  }
}

function askedAtLevels({ week, tool }: Corpus): Record<Autonomy, number> {
  const levels = Autonomy.options.map((level) => {
    const set = compiledFor(level)
    const wish = { part: week, set, withSuggestions: false, withAcquaintance: kernelTellsAcquaintance, tool }
    const { asked } = figuresOf(replay(wish).judged)
    set.dispose()
    return [level, asked] as const
  })
  return Object.fromEntries(levels) as Record<Autonomy, number>
}

const unsafeWords = (part: PartFigures) => `${unsafeOf(part).length} unsafe of ${part.dayOne.guarded}`
const rate = ({ prompts, calls }: Figures) => ((prompts / calls) * 100).toFixed(1)
