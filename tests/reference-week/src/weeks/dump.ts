/** Owns what a labeller sees of a task: the words and the calls, and neither marks nor reasons. */
import { days, type SourceCall, type SourceTask } from './source.ts'

export function withoutLabels({ id, day, minute, title, by, said, calls }: SourceTask): string {
  const time = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
  const lines = calls.flatMap((call, index) => [
    ...said.slice(calls[index - 1]?.said ?? 0, call.said).map((words) => `> ${words}`),
    `${index + 1}. ${call.tool} ${call.words}`,
    ...resultOf(call),
  ])
  const cause = by === 'operator' ? '' : ` (by ${by})`
  return [`# ${id} ${days[day]} ${time} ${title}${cause}`, ...lines, ''].join('\n')
}

function resultOf({ result, failed, wrote, deleted }: SourceCall): string[] {
  return [
    ...(result === '' ? [] : [`   ${failed ? '!' : '<'} ${result}`]),
    ...(wrote.length === 0 ? [] : [`   + ${wrote.join(' ')}`]),
    ...(deleted.length === 0 ? [] : [`   - ${deleted.join(' ')}`]),
  ]
}
