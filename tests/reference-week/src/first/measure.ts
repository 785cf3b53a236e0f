/** Owns the measure of the first corpus: one person and a held-out part, with the figures that every week gets. */
import { type FigureParts, type WeekFigures, weekFigures } from '../figures.ts'
import { compiledFor } from '../policy.ts'
import { type Corpus, readCorpus } from './corpus.ts'
import { type LabelledPart, labelledAsInstalled } from './labels.ts'

export type FirstMeasure = WeekFigures & { readonly part: 'first' | 'first-held-out' }

export async function measureFirst(corpus: Corpus = readCorpus()): Promise<FirstMeasure[]> {
  const set = compiledFor('medium')
  const lived = await Promise.all(
    [corpus.week, corpus.holdout].map((part) => labelledAsInstalled(part, corpus.tool)),
  )
  const attacks = lived.flatMap(({ calls }) => calls.filter(({ injected }) => injected))
  const names = ['first', 'first-held-out'] as const
  const measured = lived.flatMap((part, index) => {
    const name = names[index]
    return name ? [{ part: name, ...weekFigures(firstParts(part, attacks, set, corpus)) }] : []
  })
  set.dispose()
  return measured
}

export function firstParts(
  { calls, ends }: LabelledPart,
  attacks: FigureParts['attacks'],
  set: FigureParts['set'],
  { tool }: Corpus,
): FigureParts {
  return { counted: calls, suite: [], ends, attacks, set, tool }
}
