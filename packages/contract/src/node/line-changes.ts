/** Owns what differs between two texts line by line, as the operator is shown it. */

/** Each line with a minus, a plus or a space; lines far from a difference are left out. */
export function lineChanges(before: string, after: string): string {
  const all = differences(before === '' ? [] : before.split('\n'), after.split('\n'))
  const near = all.map((_, at) => all.slice(Math.max(0, at - 2), at + 3).some(({ mark }) => mark !== ' '))
  const shown: string[] = []
  for (const [at, { mark, text }] of all.entries()) {
    if (near[at]) shown.push(`${mark} ${text}`)
    else if (shown.at(-1) !== '  …') shown.push('  …')
  }
  return shown.join('\n')
}

interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

const mostCells = 4_000_000

/** By the longest common sequence between what is the same at both ends; where that is much work, all of the one and then the other. */
function differences(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  const least = Math.min(before.length, after.length) - head
  while (tail < least && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const same = (texts: readonly string[]) => texts.map((text): DiffLine => ({ mark: ' ', text }))
  const middle = between(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  return [...same(before.slice(0, head)), ...middle, ...same(before.slice(before.length - tail))]
}

function between(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = before.map((text): DiffLine => ({ mark: '-', text }))
  const added = after.map((text): DiffLine => ({ mark: '+', text }))
  const width = after.length + 1
  if ((before.length + 1) * width > mostCells) return [...removed, ...added]
  const lengths = new Uint32Array((before.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const found: DiffLine[] = []
  let row = 0
  let column = 0
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      found.push({ mark: ' ', text: before[row] ?? '' })
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) found.push(removed[row++] as DiffLine)
    else found.push(added[column++] as DiffLine)
  }
  return [...found, ...removed.slice(row), ...added.slice(column)]
}
