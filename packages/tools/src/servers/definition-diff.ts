/** Owns how a person is shown a definition of a tool, and what differs from the one that was accepted before. */
import type { JsonValue, ListedTool } from '@countersign/contract'

const mostLines = 400

export function definitionText(tool: ListedTool): string {
  return linesOf(tool).join('\n')
}

/** Each line with a minus, a plus or a space; lines far from a difference are left out. */
export function definitionDiff(before: ListedTool, after: ListedTool): string {
  const lines = differences(linesOf(before), linesOf(after))
  const near = lines.map((_, at) => lines.slice(Math.max(0, at - 2), at + 3).some(({ mark }) => mark !== ' '))
  const shown: string[] = []
  for (const [at, { mark, text }] of lines.entries()) {
    if (near[at]) shown.push(`${mark} ${text}`)
    else if (shown.at(-1) !== '  …') shown.push('  …')
  }
  return shown.join('\n')
}

function linesOf({ name, title, description, input, output, annotations }: ListedTool): string[] {
  return [
    `name: ${name}`,
    ...(title === null ? [] : [`title: ${title}`]),
    ...`description: ${description}`.split('\n'),
    ...pretty('says of itself', annotations),
    ...pretty('takes', input),
    ...(output === null ? [] : pretty('gives', output)),
  ]
}

function pretty(what: string, value: JsonValue): string[] {
  return `${what}: ${JSON.stringify(value, null, 2)}`.split('\n')
}

interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** By the longest common sequence, where that is cheap; else all of the one and then all of the other. */
function differences(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = before.map((text): DiffLine => ({ mark: '-', text }))
  const added = after.map((text): DiffLine => ({ mark: '+', text }))
  if (before.length > mostLines || after.length > mostLines) return [...removed, ...added]
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: DiffLine[] = []
  let row = 0
  let column = 0
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      lines.push({ mark: ' ', text: before[row] ?? '' })
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      lines.push({ mark: '-', text: before[row] ?? '' })
      row += 1
    } else {
      lines.push({ mark: '+', text: after[column] ?? '' })
      column += 1
    }
  }
  return [...lines, ...removed.slice(row), ...added.slice(column)]
}
