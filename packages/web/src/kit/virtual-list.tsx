/** Owns long lists: only what can be seen is drawn, however many there are. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { classes } from './classes.ts'

export interface VirtualListProps<Row> {
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly render: (row: Row, index: number) => ReactNode
  /** Height of a row before it is measured. */
  readonly estimate?: number
  /** Kept in view: the row with this key. */
  readonly follow?: string | null
  readonly label: string
  readonly className?: string | undefined
  /** Called when the end comes into view, to load more. */
  readonly onEnd?: (() => void) | undefined
}

export function VirtualList<Row>({
  rows,
  keyOf,
  render,
  estimate = 64,
  follow = null,
  label,
  className,
  onEnd,
}: VirtualListProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : keyOf(row)
    },
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const followed = follow === null ? -1 : rows.findIndex((row) => keyOf(row) === follow)
  useEffect(() => {
    if (followed >= 0) virtual.scrollToIndex(followed, { align: 'auto' })
  }, [followed, virtual])
  useEffect(() => {
    if (last >= 0 && last === rows.length - 1) onEnd?.()
  }, [last, rows.length, onEnd])
  return (
    <div ref={scroller} className={classes('min-h-0 overflow-y-auto', className)}>
      <ul aria-label={label} className="relative" style={{ blockSize: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          if (row === undefined) return null
          return (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {render(row, item.index)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
