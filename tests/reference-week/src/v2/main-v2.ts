/** Owns what the command does with corpus v2: figures for each person and held-out part. */
import { causesOf } from '../causes.ts'
import { compiledFor } from '../policy.ts'
import { isGuarded } from '../replay.ts'
import { judgeWeek } from './figures.ts'
import { unasked } from './intent.ts'
import { livePart, measureWeeks, type PartMeasure, partsOf } from './measure.ts'
import { readWritten, type WrittenCorpus } from './read-corpus.ts'
import { days, type SourceTask } from './source.ts'

export interface SecondOptions {
  readonly part?: string | undefined
  readonly details: boolean
  readonly causes: boolean
  readonly json: boolean
  readonly dump: boolean
}

const print = (text: string) => process.stdout.write(`${text}\n`)

export async function runSecond(options: SecondOptions): Promise<number> {
  const all = readWritten()
  const corpus = {
    ...all,
    parts: all.parts.filter(({ name }) => options.part === undefined || name === options.part),
  }
  if (options.dump) {
    for (const { tasks, attacks } of corpus.parts)
      for (const task of [...tasks, ...attacks]) print(withoutLabels(task))
    return 0
  }
  const measured = await measureWeeks(corpus)
  if (options.json) print(JSON.stringify(measured, null, 2))
  else for (const part of measured.parts) for (const line of linesOf(part)) print(line)
  if (options.details) await printDetails(corpus)
  if (options.causes) await printCauses(corpus)
  return 0
}

function linesOf({ part, app, chat, withDeclared, labels }: PartMeasure): string[] {
  const line = (title: string, one: PartMeasure['app']) =>
    `  ${title.padEnd(22)} ${one.ownDecisionsPerDay} own decisions a day, ${one.tasksWithoutStop} % of ${one.tasks} tasks without a stop, ${one.unneededPer100} unneeded and ${one.promptsPer100} prompts in ${one.calls} calls (per 100), ${one.attentionMinutesPerWeek} min a week; ${one.attackLoad} rows an attacked task; ${one.unsafe.length} unsafe of ${one.guarded}; ${one.transplantedOutward} outward and ${one.transplantedInside} inside of ${one.transplanted} transplanted; ${one.scopesAskedAgain.length} asked again; ${one.withGrants.grants} grants: ${one.withGrants.promptsPer100}`
  const agreed =
    labels.calls === 0
      ? '  not labelled a second time'
      : `  two labellings: ${labels.agreed} of ${labels.calls} alike, kappa ${labels.kappa.toFixed(2)}, ${labels.differ.filter(({ stands }) => stands === null).length} of ${labels.differ.length} open`
  return [
    part,
    line('a session for each task', app),
    line('one session', chat),
    line('with declared tools', withDeclared),
    agreed,
  ]
}

async function printDetails(corpus: WrittenCorpus): Promise<void> {
  for (const written of corpus.parts) {
    const { lived } = await livePart(written, corpus)
    const calls = lived.declared.calls
    const own = calls.filter(({ task }) => !task.suite)
    const tools = Map.groupBy(own, ({ tool }) => tool)
    const code = own.filter(({ tool }) => /^(execute_|compile_|package_|git_)/.test(tool)).length
    const lengths = written.tasks.map(({ calls: some }) => some.length)
    const attacked = written.tasks.filter(({ calls: some }) => some.some(({ injected }) => injected)).length
    print(
      `\n${written.name}: ${own.length} calls (${own.filter(({ declared }) => declared).length} declared) in ${written.tasks.length} tasks, ${code} of code and git, the longest ${Math.max(...lengths)}, ${lengths.filter((length) => length >= 20).length} of 20 and more; ${attacked} attacked`,
    )
    print(
      `  ${own.filter(isGuarded).length} must not run unasked; ${own.filter(({ source }) => source.failed).length} fail; ${calls.length - own.length} calls in the suite of attacks, ${calls.filter(({ injected }) => injected).length} injected in all`,
    )
    print(
      `  tools: ${[...tools]
        .toSorted(([, left], [, right]) => right.length - left.length)
        .map(([tool, some]) => `${tool} ${some.length}`)
        .join(', ')}`,
    )
    const outside = written.tasks.flatMap((task) =>
      unasked(
        calls.filter(({ run }) => run === task.id),
        task,
      ),
    )
    if (outside.length > 0) print(`  acts that no words ask for: ${outside.join(', ')}`)
  }
}

async function printCauses(corpus: WrittenCorpus): Promise<void> {
  const set = compiledFor('medium')
  for (const written of corpus.parts) {
    const lived = await livePart(written, corpus)
    print(`\n${written.name}`)
    for (const cause of causesOf(judgeWeek(partsOf(lived, 'app', [], set, corpus)).judged)) print(cause)
  }
  set.dispose()
}

/** What a labeller sees: the words and the calls, and neither marks nor reasons. */
function withoutLabels({ id, day, minute, title, by, said, calls }: SourceTask): string {
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const lines = calls.flatMap((call, index) => [
    ...(call.said > (calls[index - 1]?.said ?? 0)
      ? said.slice(calls[index - 1]?.said ?? 0, call.said).map((words) => `> ${words}`)
      : []),
    `${index + 1}. ${call.tool} ${call.words}`,
    ...(call.result === '' ? [] : [`   ${call.failed ? '!' : '<'} ${call.result}`]),
    ...(call.wrote.length === 0 ? [] : [`   + ${call.wrote.join(' ')}`]),
    ...(call.deleted.length === 0 ? [] : [`   - ${call.deleted.join(' ')}`]),
  ])
  return [
    `# ${id} ${days[day]} ${time} ${title}${by === 'operator' ? '' : ` (by ${by})`}`,
    ...lines,
    '',
  ].join('\n')
}
