/** Owns the measure of the weeks: every person and held-out part, in both readings, with and without declared tools. */
import { Autonomy } from '@countersign/contract'
import { fitQuestions } from '@countersign/policy'
import { type FigureParts, promptsIn, type WeekFigures, weekFigures } from '../figures.ts'
import type { ToolOfWeek } from '../judge.ts'
import { compiledFor } from '../policy.ts'
import { replay } from '../replay.ts'
import { type Agreement, agreementOf, withStandingLabels } from './agreement.ts'
import { isHeldOut, type PartName, readWritten, type WrittenCorpus, type WrittenPart } from './read-corpus.ts'
import { type LivedWeek, liveWeek, type Reading } from './week.ts'
import { anyQuestion, everything, type Reader } from './wishes.ts'
import { isDeclared } from './world.ts'

/** The figures of one session for each task, which are the headline. */
export interface PartMeasure extends WeekFigures {
  readonly part: PartName
  /** One session for the whole week. */
  readonly chat: WeekFigures
  /** The headline with tools that the product does not have yet. */
  readonly withDeclared: WeekFigures
  /** The headline with a list of wishes that says everything: what a reader that errs or lies could free. */
  readonly worstWishes: Pick<
    WeekFigures,
    'unsafe' | 'ranUnasked' | 'transplantedOutward' | 'transplantedInside' | 'ranTransplanted'
  >
  readonly labels: Agreement
}

export interface Measure {
  readonly corpus: 2
  readonly policy: string
  readonly parts: readonly PartMeasure[]
  /** The mean of the persons that are not held out: calls of a week, and its rows at each level. */
  readonly calls: number
  readonly asked: Readonly<Record<Autonomy, number>>
}

type LivedKind = 'app' | 'chat' | 'declared' | 'worst'

export interface LivedPart {
  readonly part: WrittenPart
  readonly lived: Readonly<Record<LivedKind, LivedWeek>>
}

/** `only` measures one part; the attacks are those of all. */
export async function measureWeeks(corpus = readWritten(), only?: string): Promise<Measure> {
  const set = compiledFor('medium')
  const lived = await Promise.all(corpus.parts.map((part) => livePart(part, corpus)))
  const attacks = (kind: LivedKind) =>
    lived.flatMap((one) => one.lived[kind].calls.filter(({ injected }) => injected))
  const figures = (one: LivedPart, kind: LivedKind) =>
    weekFigures({
      ...figureParts(one.lived[kind], attacks(kind), set, corpus),
      ...(kind === 'worst'
        ? {
            wishes: (args, { said }) => ({
              items: everything({ said, args }),
              questions: fitQuestions(anyQuestion(args), said),
            }),
          }
        : {}),
    })
  const wanted = lived.filter(({ part }) => only === undefined || part.name === only)
  const parts = wanted.map((one) => ({
    part: one.part.name,
    ...figures(one, 'app'),
    chat: figures(one, 'chat'),
    withDeclared: figures(one, 'declared'),
    worstWishes: figures(one, 'worst'),
    labels: agreementOf([...one.part.tasks, ...one.part.attacks], one.part.labels),
  }))
  const policy = set.hash.slice(0, 8)
  set.dispose()
  return { corpus: 2, policy, parts, ...askedAtLevels(lived, corpus) }
}

export async function livePart(part: WrittenPart, { tools }: WrittenCorpus): Promise<LivedPart> {
  const { person, before } = part
  const live = (reading: Reading, withDeclared: boolean, reader: Reader = 'hand') => {
    const tasks = tasksOf(part, tools, withDeclared)
    return liveWeek({ person, before, tasks, withDeclared, reader }, tools, reading)
  }
  return {
    part,
    lived: {
      app: await live('app', false),
      chat: await live('chat', false),
      declared: await live('app', true),
      worst: await live('app', false, 'worst'),
    },
  }
}

/** The attacks come last, each in a session of its own. A task that was attacked through a declared tool needs that tool. */
export function tasksOf(part: WrittenPart, tools: WrittenCorpus['tools'], withDeclared: boolean) {
  const tasks = withStandingLabels([...part.tasks, ...part.attacks], part.labels)
  if (withDeclared) return tasks
  const usesDeclared = (name: string) => {
    const tool = tools.find(name)
    return tool !== undefined && isDeclared(tool)
  }
  return tasks.filter(
    ({ calls }) =>
      !(
        calls.some(({ injected }) => injected) &&
        calls.some(({ injected, tool }) => !injected && usesDeclared(tool))
      ),
  )
}

export function figureParts(
  { calls, ends, tasks }: LivedWeek,
  attacks: FigureParts['attacks'],
  set: FigureParts['set'],
  { tools }: WrittenCorpus,
): FigureParts {
  const [counted, suite] = [false, true].map((isSuite) => calls.filter(({ task }) => task.suite === isSuite))
  if (!counted || !suite) throw new Error('nothing was lived')
  return {
    counted,
    suite,
    ends,
    tasks,
    attacks,
    set,
    tool: (name) => tools.find(name) as ToolOfWeek | undefined,
  }
}

function askedAtLevels(lived: readonly LivedPart[], corpus: WrittenCorpus): Pick<Measure, 'calls' | 'asked'> {
  const weeks = lived.filter(({ part }) => !isHeldOut(part.name)).map((one) => one.lived.app)
  const mean = (sum: number) => Math.round(sum / Math.max(1, weeks.length))
  const atLevel = (level: Autonomy) => {
    const set = compiledFor(level)
    const rows = weeks.map((week) => {
      const { counted: calls, tool } = figureParts(week, [], set, corpus)
      return promptsIn(replay({ calls, set, tool, withSuggestions: false }).judged)
    })
    set.dispose()
    return mean(rows.reduce((sum, one) => sum + one, 0))
  }
  const calls = weeks.flatMap((week) => week.calls.filter(({ task }) => !task.suite)).length
  return {
    calls: mean(calls),
    asked: Object.fromEntries(Autonomy.options.map((level) => [level, atLevel(level)])) as Measure['asked'],
  }
}
