/** Owns the figures of a chart as words: its table, and what is said of one moment. */
import { words } from '../words/charts.ts'
import type { Figures } from './chart-frame.tsx'
import { type Moment, type Series, totalOf } from './series.ts'

export function momentFigures({
  momentTitle,
  series,
  moments,
  write,
}: {
  readonly momentTitle: string
  readonly series: readonly Series[]
  readonly moments: readonly Moment[]
  readonly write: (value: number) => string
}): Figures {
  const several = series.length > 1
  return {
    columns: [momentTitle, ...series.map(({ label }) => label), ...(several ? [words.total] : [])],
    rows: moments.map((moment) => [
      moment.expected === true ? words.expected(moment.label) : moment.label,
      ...series.map(({ key }) => {
        const value = moment.values[key]
        return value === undefined ? '' : write(value)
      }),
      ...(several ? [write(totalOf(moment))] : []),
    ]),
  }
}

export function momentWords(
  moment: Moment | undefined,
  series: readonly Series[],
  write: (value: number) => string,
): string {
  if (moment === undefined) return ''
  const name = moment.expected === true ? words.expected(moment.label) : moment.label
  const parts = series.flatMap(({ key, label }) => {
    const value = moment.values[key]
    return value === undefined || value === 0 ? [] : [`${label} ${write(value)}`]
  })
  if (series.length === 1) return words.momentOne(name, write(totalOf(moment)))
  return words.moment(name, write(totalOf(moment)), parts.join(', '))
}
