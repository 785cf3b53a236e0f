/** Reads what of a sheet is not shown: columns that are hidden, and cells behind one that covers them. */
import { isOn } from './looks.ts'
import { columnOf } from './rows.ts'
import { readXml } from './xml.ts'

export interface SheetShape {
  /** From zero. */
  isHiddenColumn(column: number): boolean
  /** The row is counted from one, as a sheet does. */
  isCovered(row: number, column: number): boolean
}

interface Area {
  readonly rows: readonly [number, number]
  readonly columns: readonly [number, number]
}

const most = { columns: 2_000, large: 300, cells: 500_000, small: 64 }

/** It is said before the rows, and after them, so it is read before they are. */
export function readShape(bytes: Uint8Array | undefined): SheetShape {
  const hidden: (readonly [number, number])[] = []
  const large: Area[] = []
  const small = new Set<string>()
  readXml(bytes, {
    open({ name, attribute }) {
      if (name === 'row') return 'pass-over'
      const isGone = isOn(attribute('hidden')) || Number(attribute('width') ?? 1) === 0
      if (name === 'col' && isGone && hidden.length < most.columns)
        hidden.push([Number(attribute('min')) - 1, Number(attribute('max')) - 1])
      const area = name === 'mergeCell' ? areaOf(attribute('ref') ?? '') : undefined
      if (area && sizeOf(area) > most.small && large.length < most.large) large.push(area)
      else if (area && small.size < most.cells) for (const cell of coveredBy(area)) small.add(cell)
      return undefined
    },
  })
  return {
    isHiddenColumn: (column) => hidden.some((columns) => isWithin(column, columns)),
    isCovered: (row, column) =>
      small.has(`${row} ${column}`) ||
      large.some(
        ({ rows, columns }) =>
          isWithin(row, rows) && isWithin(column, columns) && (row !== rows[0] || column !== columns[0]),
      ),
  }
}

const sizeOf = ({ rows, columns }: Area) => (rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1)

/** All but the first, which is the one that is seen. */
function coveredBy({ rows: [top, bottom], columns: [left, right] }: Area): string[] {
  const cells: string[] = []
  for (let row = top; row <= bottom && cells.length < most.small; row += 1)
    for (let column = left; column <= right && cells.length < most.small; column += 1)
      cells.push(`${row} ${column}`)
  return cells.slice(1)
}

const isWithin = (value: number, [from, to]: readonly [number, number]) => value >= from && value <= to

function areaOf(reference: string): Area | undefined {
  const [, left, top, right, bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? []
  const columns = [columnOf(left) ?? 0, columnOf(right) ?? 0] as const
  return top === undefined ? undefined : { rows: [Number(top), Number(bottom)], columns }
}
