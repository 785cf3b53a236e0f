/**
 * Owns the two labellings of the same calls: the first stands in the week itself, the second was made apart, by the
 * guideline alone. Says how far they agree beyond chance, and which of both stands where they differ.
 */
import { Expected } from '../call.ts'
import type { SourceCall, SourceTask } from './source.ts'

export interface LabelPass {
  /** By task: the calls that are not `may-allow`. A task that is not there was not labelled. */
  readonly second: ReadonlyMap<string, ReadonlyMap<number, Expected>>
  /** What stands where the two differ, by call. */
  readonly resolved: ReadonlyMap<string, Expected>
}

export interface Agreement {
  readonly calls: number
  readonly agreed: number
  /** Cohen’s: 1 where they always agree, 0 where they agree as chance would. */
  readonly kappa: number
  readonly differ: readonly {
    readonly id: string
    readonly first: Expected
    readonly second: Expected
    readonly stands: Expected | null
  }[]
}

const marks: Readonly<Record<string, Expected>> = { '?': 'must-ask', x: 'must-deny' }
const kinds = Expected.options

/** `mon-0812: 7? 15x`, or `mon-0812:` where all may run. */
export function parseLabels(text: string): Map<string, Map<number, Expected>> {
  const labels = new Map<string, Map<number, Expected>>()
  for (const line of linesOf(text)) {
    const [task = '', rest = ''] = line.split(':')
    const some = rest.trim() === '' ? [] : rest.trim().split(/\s+/)
    labels.set(
      task,
      new Map(
        some.map((one) => {
          const expected = marks[one.slice(-1)]
          if (!expected) throw new Error(`second labels: cannot read “${line}”.`)
          return [Number(one.slice(0, -1)), expected]
        }),
      ),
    )
  }
  return labels
}

/** `mon-0812.7 must-ask why it stands`. */
export function parseResolved(text: string): Map<string, Expected> {
  return new Map(
    linesOf(text).map((line) => {
      const [id = '', expected = ''] = line.split(' ')
      const kind = kinds.find((one) => one === expected)
      if (!kind) throw new Error(`resolved labels: cannot read “${line}”.`)
      return [id, kind]
    }),
  )
}

export function agreementOf(tasks: readonly SourceTask[], { second, resolved }: LabelPass): Agreement {
  const pairs = tasks.flatMap((task) => {
    const labels = second.get(task.id)
    if (!labels) return []
    return task.calls.map((call, index) => ({
      call,
      second: labels.get(index + 1) ?? ('may-allow' as const),
    }))
  })
  const differ = pairs
    .filter(({ call, second }) => call.expected !== second)
    .map(({ call, second }) => ({
      id: call.id,
      first: call.expected,
      second,
      stands: resolved.get(call.id) ?? null,
    }))
  return { calls: pairs.length, agreed: pairs.length - differ.length, kappa: kappaOf(pairs), differ }
}

function kappaOf(pairs: readonly { call: SourceCall; second: Expected }[]): number {
  if (pairs.length === 0) return 0
  const share = (count: number) => count / pairs.length
  const seen = share(pairs.filter(({ call, second }) => call.expected === second).length)
  const byChance = kinds
    .map(
      (kind) =>
        share(pairs.filter(({ call }) => call.expected === kind).length) *
        share(pairs.filter(({ second }) => second === kind).length),
    )
    .reduce((sum, one) => sum + one, 0)
  return byChance === 1 ? 1 : (seen - byChance) / (1 - byChance)
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'))
}

/** The week with the label that stands for each call. */
export function withStandingLabels(tasks: readonly SourceTask[], { resolved }: LabelPass): SourceTask[] {
  return tasks.map((task) => ({
    ...task,
    calls: task.calls.map((call) => ({ ...call, expected: resolved.get(call.id) ?? call.expected })),
  }))
}
