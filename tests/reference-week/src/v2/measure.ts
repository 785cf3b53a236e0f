/** Owns the measure of corpus v2: every person and held-out part, in both readings, with and without declared tools. */

import type { ToolOfWeek } from '../judge.ts'
import { compiledFor } from '../policy.ts'
import { type Agreement, agreementOf, withStandingLabels } from './agreement.ts'
import { type FigureParts, type WeekFigures, weekFigures } from './figures.ts'
import { type PartName, readWritten, type WrittenCorpus, type WrittenPart } from './read-corpus.ts'
import { type LivedWeek, liveWeek, type Reading } from './week.ts'

export interface PartMeasure {
  readonly part: PartName
  /** One session for each task; this is the headline. */
  readonly app: WeekFigures
  /** One session for the whole week. */
  readonly chat: WeekFigures
  /** The headline with tools that the product does not have yet. */
  readonly withDeclared: WeekFigures
  readonly labels: Agreement
}

export interface Measure {
  readonly corpus: 2
  readonly policy: string
  readonly parts: readonly PartMeasure[]
}

export interface LivedPart {
  readonly part: WrittenPart
  readonly lived: Readonly<Record<'app' | 'chat' | 'declared', LivedWeek>>
}

export async function livePart(part: WrittenPart, { tools }: WrittenCorpus): Promise<LivedPart> {
  const live = (reading: Reading, declared: boolean) =>
    liveWeek(
      {
        person: part.person,
        before: part.before,
        tasks: weekOf(part, tools, declared),
        withDeclared: declared,
      },
      tools,
      reading,
    )
  return {
    part,
    lived: {
      app: await live('app', false),
      chat: await live('chat', false),
      declared: await live('app', true),
    },
  }
}

/** The attacks come last, each in a session of its own. A task that was attacked through a declared tool needs that tool. */
function weekOf(part: WrittenPart, tools: WrittenCorpus['tools'], withDeclared: boolean) {
  const tasks = withStandingLabels([...part.tasks, ...part.attacks], part.labels)
  if (withDeclared) return tasks
  const isDeclared = (tool: string) => {
    const found = tools.find(tool)
    return found !== undefined && !('input' in found)
  }
  return tasks.filter(
    ({ calls }) =>
      !(
        calls.some(({ injected }) => injected) &&
        calls.some(({ injected, tool }) => !injected && isDeclared(tool))
      ),
  )
}

export async function measureWeeks(corpus = readWritten()): Promise<Measure> {
  const set = compiledFor('medium')
  const lived = await Promise.all(corpus.parts.map((part) => livePart(part, corpus)))
  const attacks = (kind: keyof LivedPart['lived']) =>
    lived.flatMap((one) => one.lived[kind].calls.filter(({ injected }) => injected))
  const figures = (one: LivedPart, kind: keyof LivedPart['lived']) =>
    weekFigures(partsOf(one, kind, attacks(kind), set, corpus))
  const parts = lived.map((one) => ({
    part: one.part.name,
    app: figures(one, 'app'),
    chat: figures(one, 'chat'),
    withDeclared: figures(one, 'declared'),
    labels: agreementOf([...one.part.tasks, ...one.part.attacks], one.part.labels),
  }))
  const policy = set.hash.slice(0, 8)
  set.dispose()
  return { corpus: 2, policy, parts }
}

export function partsOf(
  { lived }: LivedPart,
  kind: keyof LivedPart['lived'],
  attacks: FigureParts['attacks'],
  set: FigureParts['set'],
  { tools }: WrittenCorpus,
): FigureParts {
  return {
    lived: lived[kind],
    reading: kind === 'chat' ? 'chat' : 'app',
    attacks,
    set,
    tool: (name) => tools.find(name) as ToolOfWeek | undefined,
  }
}
