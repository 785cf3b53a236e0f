/** Owns the one report that goes to the work which began tasks, once all of them have ended. */
import {
  type HeldTask,
  joinLabels,
  type Label,
  operatorLabel,
  shortened,
  untagged,
} from '@countersign/contract'

const longestResult = 4_000

/** What tasks made is worth no more than the least of what they read. */
export function labelOfAll(labels: readonly (Label | null)[]): Label {
  return labels.reduce<Label>((joined, label) => (label ? joinLabels(joined, label) : joined), operatorLabel)
}

export function reportText(tasks: readonly HeldTask[]): string {
  const parts = tasks.map(({ id, title, status, result, problem }) =>
    [
      '<task>',
      `<id>${id}</id>`,
      `<title>${untagged(title)}</title>`,
      `<status>${status}</status>`,
      ...(result === null ? [] : [`<result>\n${untagged(shortened(result, longestResult))}\n</result>`]),
      ...(problem === null ? [] : [`<problem>${untagged(shortened(problem, longestResult))}</problem>`]),
      '</task>',
    ].join('\n'),
  )
  return `<task_results>\n${parts.join('\n')}\n</task_results>`
}
