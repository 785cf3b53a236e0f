/** Owns the comparison of lived weeks with their replay. */
import {
  compiledFor,
  figureParts,
  type JudgedCall,
  livePart,
  readWritten,
  replay,
  type SourceTask,
  tasksOf,
  type WeekCall,
  type WrittenCorpus,
  type WrittenPart,
} from '@countersign/reference-week/weeks'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { liveInGateway } from './live.ts'

/** With so many tasks of each, all of the weeks are lived. */
const whole = 100

export async function runWeeks({
  n,
  only = '',
  log,
}: Pick<SuiteOptions, 'n' | 'only' | 'log'>): Promise<SuiteResult> {
  const corpus = readWritten()
  const parts = corpus.parts.filter(({ name }) => n >= whole || name.endsWith('-held-out'))
  const different: string[] = []
  const counted = { tasks: 0, cards: 0, held: 0, left: 0 }
  for (const part of parts) {
    const isWanted = ({ id }: SourceTask) => `${part.name} ${id}`.includes(only)
    // A week cannot begin in its middle: what comes before the last one that is wanted is lived too.
    const tasks = tasksOf(part, corpus.tools, false)
    const most = Math.min(n, tasks.findLastIndex(isWanted) + 1)
    if (most === 0) continue
    const { calls, asked, held } = await replayed(part, corpus)
    const apart = apartFrom(tasks, [...calls.values()])
    for (const { task, cards, held: wereHeld } of await liveInGateway(part, corpus, calls, most)) {
      if (!isWanted(task)) continue
      if (apart.has(task.id)) {
        counted.left += 1
        continue
      }
      counted.tasks += 1
      counted.cards += cards.length
      counted.held += wereHeld.length
      const difference = [
        differenceOf('asked', asked.get(task.id) ?? [], cards),
        differenceOf('held', held.get(task.id) ?? [], wereHeld),
      ]
        .filter((one) => one !== '')
        .join('; ')
      if (difference === '') continue
      different.push(`${part.name} ${task.id}: ${difference}`)
      log(different.at(-1) ?? '')
    }
  }
  const { cards, held, left } = counted
  return {
    n: counted.tasks,
    failures: different.length,
    details: { cards, held, leftOut: left, different },
  }
}

/**
 * The tasks that cannot be compared. Helpers and plans work at their own time in an installation, so the work of one, and
 * whatever speaks of it, comes when the week does not say; and who reads a file that such a task wrote last, reads another.
 */
function apartFrom(tasks: readonly SourceTask[], calls: readonly WeekCall[]): ReadonlySet<string> {
  const worked = tasks.flatMap((task) => /^(?:agent|plan) (\S+)/.exec(task.by)?.[1] ?? [])
  const apart = new Set<string>()
  const uncertain = new Set<string>()
  for (const task of tasks) {
    const files = calls
      .filter((call) => call.run === task.id)
      .flatMap(({ resources }) => resources.flatMap((one) => (one.type === 'file' ? [one] : [])))
    const speaksOf = (handle: string) => task.calls.some(({ words }) => words.includes(`@{${handle}}`))
    const isApart =
      /^(?:agent|plan) /.test(task.by) ||
      worked.some(speaksOf) ||
      files.some(({ op, path }) => op === 'read' && uncertain.has(path))
    if (isApart) apart.add(task.id)
    for (const { op, path } of files)
      if (op === 'write' && isApart) uncertain.add(path)
      else if (op === 'write') uncertain.delete(path)
  }
  return apart
}

interface Replayed {
  readonly calls: ReadonlyMap<string, WeekCall>
  /** By task, the ids of the calls that are asked about. */
  readonly asked: ReadonlyMap<string, readonly string[]>
  /** The same of those that are held. */
  readonly held: ReadonlyMap<string, readonly string[]>
}

async function replayed(part: WrittenPart, corpus: WrittenCorpus): Promise<Replayed> {
  const set = compiledFor('medium')
  const { lived } = await livePart(part, corpus)
  const { calls } = lived.app
  const { tool } = figureParts(lived.app, [], set, corpus)
  const { judged } = replay({ calls, set, tool, withSuggestions: false })
  set.dispose()
  const byTask = (kind: 'ask' | 'held') => {
    const some = judged.filter(({ judgement }) => judgement.kind === kind).map(({ call }) => call)
    return [...Map.groupBy(some, ({ run }) => run)]
  }
  const idsOf = (calls: readonly JudgedCall[]) => calls.map(({ id }) => id)
  return {
    calls: new Map(calls.map((call) => [call.id, call])),
    asked: new Map(byTask('ask').map(([run, of]) => [run, idsOf(of)])),
    held: new Map(byTask('held').map(([run, of]) => [run, idsOf(withoutVain(of))])),
  }
}

/** Without what deletes a file that another one of them was to make: in an installation it is not there yet. */
function withoutVain(calls: readonly JudgedCall[]): JudgedCall[] {
  const made = new Set<string>()
  return calls.filter(({ resources }) => {
    const files = resources.filter((resource) => resource.type === 'file')
    for (const { op, path, identity } of files) if (op === 'write' && identity === 'absent') made.add(path)
    return !files.some(({ op, path }) => op === 'delete' && made.has(path))
  })
}

function differenceOf(what: string, wanted: readonly string[], cards: readonly string[]): string {
  const left = [...cards]
  const missing = wanted.filter((card) => {
    const at = left.indexOf(card)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return [
    ...missing.map((card) => `not ${what}: ${card}`),
    ...left.map((card) => `${what}: ${card.slice(0, 160)}`),
  ].join('; ')
}
