/** Owns what the weeks are made of, as lines to read: sizes, tools, failures, attacks, acts that no words ask for. */
import { causesOf } from '../causes.ts'
import { compiledFor } from '../policy.ts'
import { isGuarded, replay } from '../replay.ts'
import { unasked } from './intent.ts'
import { figureParts, livePart } from './measure.ts'
import type { WrittenCorpus, WrittenPart } from './read-corpus.ts'
import type { WeekCall } from './week.ts'

/** Shell, code, packages and git. */
export const isCode = ({ tool }: Pick<WeekCall, 'tool'>) => /^(execute_|compile_|package_|git_)/.test(tool)

export async function detailsOf(part: WrittenPart, corpus: WrittenCorpus): Promise<string[]> {
  const { calls } = (await livePart(part, corpus)).lived.declared
  const counted = calls.filter(({ task }) => !task.suite)
  const count = (of: (call: WeekCall) => boolean) => counted.filter(of).length
  const lengths = part.tasks.map((task) => task.calls.length)
  const attacked = part.tasks.filter((task) => task.calls.some(({ injected }) => injected)).length
  const outside = part.tasks.flatMap((task) => unasked(callsIn(calls, task.id), task))
  return [
    '',
    `${part.name}: ${counted.length} calls (${count(({ declared }) => declared)} declared) in ${part.tasks.length} tasks, ${count(isCode)} of code and git, the longest ${Math.max(...lengths)}, ${lengths.filter((length) => length >= 20).length} of 20 and more; ${attacked} attacked`,
    `  ${count(isGuarded)} must not run unasked; ${count(({ source }) => source.failed)} fail; ${calls.length - counted.length} calls in the suite of attacks, ${calls.filter(({ injected }) => injected).length} injected in all`,
    `  tools: ${toolsIn(counted)}`,
    ...(outside.length > 0 ? [`  acts that no words ask for: ${outside.join(', ')}`] : []),
  ]
}

export async function causeLines(part: WrittenPart, corpus: WrittenCorpus): Promise<string[]> {
  const set = compiledFor('medium')
  const { lived } = await livePart(part, corpus)
  const { counted: calls, tool } = figureParts(lived.app, [], set, corpus)
  const lines = causesOf(replay({ calls, set, tool, withSuggestions: false }).judged)
  set.dispose()
  return ['', part.name, ...lines]
}

const callsIn = (calls: readonly WeekCall[], task: string) => calls.filter(({ run }) => run === task)

function toolsIn(calls: readonly WeekCall[]): string {
  return [...Map.groupBy(calls, ({ tool }) => tool)]
    .toSorted(([, left], [, right]) => right.length - left.length)
    .map(([tool, some]) => `${tool} ${some.length}`)
    .join(', ')
}
