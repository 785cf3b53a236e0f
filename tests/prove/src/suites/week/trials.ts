/** Owns the comparison of lived weeks with their replay. */
import {
  compiledFor,
  figureParts,
  livePart,
  readWritten,
  replay,
  type SourceTask,
  type WeekCall,
  type WrittenCorpus,
  type WrittenPart,
} from '@countersign/reference-week/weeks'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { liveInGateway } from './live.ts'

/** With so many tasks of each, all of the weeks are lived. */
const whole = 100

export async function runWeeks({ n, log }: Pick<SuiteOptions, 'n' | 'log'>): Promise<SuiteResult> {
  const corpus = readWritten()
  const parts = corpus.parts.filter(({ name }) => n >= whole || name.endsWith('-held-out'))
  const different: string[] = []
  const counted = { tasks: 0, cards: 0, held: 0, left: 0 }
  for (const part of parts) {
    const { calls, asked, held } = await replayed(part, corpus)
    for (const { task, cards, held: wereHeld } of await liveInGateway(part, corpus, calls, n)) {
      if (!isComparable(task, part)) {
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
  const { tasks, cards, held, left } = counted
  return { n: tasks, failures: different.length, details: { cards, held, leftOut: left, different } }
}

/**
 * Helpers and plans work at their own time in an installation, so the work of one, and whatever speaks of it, comes when
 * the week does not say.
 */
function isComparable({ by, calls }: SourceTask, { tasks }: WrittenPart): boolean {
  const worked = tasks.flatMap((task) => /^(?:agent|plan) (\S+)/.exec(task.by)?.[1] ?? [])
  const speaksOf = (handle: string) => calls.some(({ words }) => words.includes(`@{${handle}}`))
  return !/^(?:agent|plan) /.test(by) && !worked.some(speaksOf)
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
    return new Map([...Map.groupBy(some, ({ run }) => run)].map(([run, of]) => [run, of.map(({ id }) => id)]))
  }
  return {
    calls: new Map(calls.map((call) => [call.id, call])),
    asked: byTask('ask'),
    held: byTask('held'),
  }
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
