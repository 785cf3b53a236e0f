/** Owns the table of what journeys may cost: how it reads, how it is written, and in which words it is broken. */
import { type CountedAct, type Counts, countsOf, type Measure, measures } from './measures.ts'

export interface Table {
  /** Shares by which a measure may differ. */
  readonly tolerance: Counts
  readonly journeys: ReadonlyMap<string, Counts>
}

export interface CountedJourney {
  readonly name: string
  readonly counts: Counts
  readonly acts: readonly CountedAct[]
}

export const howToUpdate = 'UPDATE_GOLDEN=1 pnpm exec vitest run tests/ratchet'

const toleranceRow = 'may differ by'
const nameWidth = 40
const numberWidth = 15
const title = [
  '# What one journey costs: a number for each journey and measure, which pnpm test counts and compares.',
  `# ${howToUpdate} writes it anew; the change of a number is then a line of the review.`,
]

export function parseTable(text: string): Table {
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const [head = [], ...body] = rows.map((line) => line.trim().split(/ {2,}/))
  if (rows.length > 0 && head.slice(1).join() !== measures.join())
    throw new Error(`The table has other columns than are counted: ${measures.join(', ')}.`)
  const journeys = new Map(body.map(([name = '', ...cells]) => [name, countsIn(cells)]))
  const tolerance = journeys.get(toleranceRow) ?? countsOf(() => 0)
  journeys.delete(toleranceRow)
  return { tolerance, journeys }
}

/** A number stays as it is while it is within its tolerance, so that a new table shows only what has changed. */
export function writeTable({ tolerance, journeys }: Table, counted: readonly CountedJourney[]): string {
  const rows = counted.map(({ name, counts }) => {
    const known = journeys.get(name)
    const kept = (measure: Measure) =>
      known && isWithin(counts[measure], known[measure], tolerance[measure])
        ? known[measure]
        : counts[measure]
    return line(
      name,
      measures.map((measure) => String(kept(measure))),
    )
  })
  const shares = measures.map((measure) => `${Math.round(tolerance[measure] * 100)} %`)
  return [...title, '', line('journey', measures), line(toleranceRow, shares), ...rows, ''].join('\n')
}

/** A sentence for each number that is not the one of the table; less is a difference too, or it could grow again unseen. */
export function differences({ tolerance, journeys }: Table, counted: readonly CountedJourney[]): string[] {
  const made = new Set(counted.map(({ name }) => name))
  const gone = [...journeys.keys()].filter((name) => !made.has(name))
  return [
    ...counted.flatMap((journey) => {
      const known = journeys.get(journey.name)
      if (!known) return [`The table has no row for ${journey.name}. To add it, run: ${howToUpdate}`]
      return measures
        .filter((measure) => !isWithin(journey.counts[measure], known[measure], tolerance[measure]))
        .map((measure) => sentence(journey, measure, known[measure]))
    }),
    ...gone.map(
      (name) => `The table has a row for ${name}, which nobody counts. To drop it, run: ${howToUpdate}`,
    ),
  ]
}

function sentence({ name, counts, acts }: CountedJourney, measure: Measure, known: number): string {
  const what = `For ${name}, ${measure} went from ${known} in the table to ${counts[measure]}.`
  return counts[measure] < known
    ? `${what} That is better: lower the table with ${howToUpdate}`
    : `${what} Find out why; if it is meant, run ${howToUpdate} and say in the commit what it buys. What is done:\n${listed(acts, measure)}`
}

/** The kinds of what was counted, the most frequent first. */
function listed(acts: readonly CountedAct[], measure: Measure): string {
  const sums = new Map<string, number>()
  for (const { text, by } of acts.filter((act) => act.measure === measure))
    sums.set(text, (sums.get(text) ?? 0) + by)
  return [...sums]
    .toSorted(([, one], [, other]) => other - one)
    .map(([text, sum]) => `  ${String(sum).padStart(6)}  ${text.slice(0, 160)}`)
    .join('\n')
}

function isWithin(value: number, known: number, share: number): boolean {
  return Math.abs(value - known) <= known * share
}

function countsIn(cells: readonly string[]): Counts {
  return countsOf((measure) => {
    const cell = cells[measures.indexOf(measure)] ?? ''
    if (!/^\d+(?: %)?$/.test(cell)) throw new Error(`The table says ${cell || 'nothing'} for ${measure}.`)
    return cell.endsWith('%') ? Number.parseInt(cell, 10) / 100 : Number(cell)
  })
}

function line(name: string, cells: readonly string[]): string {
  return name.padEnd(nameWidth) + cells.map((cell) => `  ${cell}`.padStart(numberWidth)).join('')
}
