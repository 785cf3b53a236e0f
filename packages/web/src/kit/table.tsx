/** Owns tables: few enough rows to draw at once. More than 200 belong in a VirtualList. */
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers end at the same edge. */
  readonly number?: boolean
  /** Left out on a phone. */
  readonly wide?: boolean
}

export interface TableProps<Row> {
  /** Says what the table is about, to readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={caption}
      className="overflow-x-auto rounded-2 border border-line bg-sheet"
    >
      <table className="w-full border-collapse text-start">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={cellClasses(column, 'py-1.5 text-small font-medium text-ink-3')}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-b-0">
              {columns.map((column) => (
                <td key={column.title} className={cellClasses(column, 'py-2 align-top')}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function cellClasses<Row>(column: Column<Row>, more: string): string {
  return classes(
    'px-3 first:ps-4 last:pe-4',
    column.number === true ? 'text-end whitespace-nowrap' : 'text-start',
    column.wide === true && 'max-sm:hidden',
    more,
  )
}
