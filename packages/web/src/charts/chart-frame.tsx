/** Owns what every chart has around it: its name, its legend, its width, and the same figures as a table. */
import { forDisplay } from '@countersign/contract'
import { Table2 } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { classes } from '../kit/classes.ts'
import { Safe } from '../kit/mono.tsx'
import { type Column, Table } from '../kit/table.tsx'
import { words } from '../words/charts.ts'
import type { Series } from './series.ts'

export interface Figures {
  /** The first names the rows. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface ChartFrameProps {
  readonly title: string
  readonly figures: Figures
  readonly series?: readonly Series[]
  /** Beside the legend: what a line or a hatching means. */
  readonly notes?: ReactNode
  /** Buttons at the end of the heading. */
  readonly aside?: ReactNode
  readonly children: (width: number) => ReactNode
}

export function ChartFrame({ title, figures, series = [], notes, aside, children }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const { place, width } = useWidth()
  return (
    <figure aria-labelledby={id} className="rounded-2 border border-line bg-sheet px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <figcaption id={id} className="text-small font-[600] text-ink-2">
          {title}
        </figcaption>
        <div className="flex flex-wrap items-center gap-2">
          {aside}
          <Button
            variant="quiet"
            size="small"
            icon={Table2}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? words.showChart : words.showTable}
          </Button>
        </div>
      </div>
      <div ref={place} className={classes('min-w-0', asTable && 'hidden')}>
        {asTable || width === 0 ? null : children(width)}
        <Legend series={series} notes={notes} />
      </div>
      <div className={asTable ? 'mt-2' : 'sr-only'}>
        <FigureTable title={title} figures={figures} focusable={asTable} />
      </div>
    </figure>
  )
}

function Legend({ series, notes }: Pick<ChartFrameProps, 'series' | 'notes'>) {
  if ((series?.length ?? 0) === 0 && notes === undefined) return null
  return (
    <div aria-hidden className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-small text-ink-2">
      {series?.map(({ key, label, shade }) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <span
            className="size-2.5 shrink-0 rounded-[2px] border border-line-strong"
            style={{ background: shade }}
          />
          <Safe text={label} />
        </span>
      ))}
      {notes}
    </div>
  )
}

/** Out of sight it is no stop for the keyboard; the figures stay in the order of reading. */
function FigureTable({ title, figures, focusable }: { title: string; figures: Figures; focusable: boolean }) {
  const columns: readonly Column<readonly string[]>[] = figures.columns.map((column, index) => ({
    title: forDisplay(column).text,
    cell: (row) => <Safe text={row[index] ?? ''} />,
    number: index > 0,
  }))
  if (focusable)
    return <Table caption={title} columns={columns} rows={figures.rows} keyOf={(row) => row.join('\u0000')} />
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          {figures.columns.map((column) => (
            <th key={column} scope="col">
              <Safe text={column} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {figures.rows.map((row) => (
          <tr key={row.join('\u0000')}>
            {row.map((cell, index) => (
              <td key={figures.columns[index]}>
                <Safe text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The width that a chart may take, followed as the page changes. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return
    const measure = () => {
      const now = Math.floor(element.clientWidth)
      if (now > 0) setWidth(now)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { place, width }
}
