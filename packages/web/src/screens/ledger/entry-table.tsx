/** Owns the table of entries: only the rows that can be seen are drawn, and to a reader it is still one table. */

import type { LedgerEntryView } from '@countersign/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useGo } from '../../environment/route.ts'
import { classes, useIsNarrow } from '../../kit/index.ts'
import { formats } from '../../language/current.ts'
import { words } from '../../words/ledger.tsx'
import { EntryRow } from './entry-row.tsx'
import { useMoments } from './moments.ts'
import { dayKey } from './shown-entries.ts'

export interface EntryTableProps {
  readonly entries: readonly LedgerEntryView[]
  readonly current: number | null
  readonly hrefOf: (seq: number) => string
  /** Stays at the newest. */
  readonly following: boolean
  readonly onEnd: () => void
  /** After the last row. */
  readonly end: ReactNode
}

const { entry, when, what, tier, outcome } = words.list.columns
const titles = [entry, when, what, tier, outcome]

/** Rows before the last at which more is asked for. */
const ahead = 20

export function EntryTable({ entries, current, hrefOf, following, onEnd, end }: EntryTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const narrow = useIsNarrow()
  const moments = useMoments()
  const onFollow = useFollowing()
  // The drawer takes its room from here.
  const columns = columnsOf(current !== null)
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (narrow ? 86 : 57),
    getItemKey: (index) => entries[index]?.seq ?? index,
    overscan: 6,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= 0 && last >= entries.length - ahead) onEnd()
  }, [last, entries.length, onEnd])
  const at = useMemo(
    () => (current === null ? -1 : entries.findIndex(({ seq }) => seq === current)),
    [entries, current],
  )
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' })
  }, [at, virtual])
  const newest = entries[0]?.seq
  useEffect(() => {
    if (following && newest !== undefined) scroller.current?.scrollTo({ top: 0 })
  }, [following, newest])
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
      <div role="table" aria-label={words.list.label} aria-rowcount={entries.length + 1}>
        <div role="rowgroup" className="sticky top-0 z-10 bg-paper max-md:sr-only">
          <div role="row" aria-rowindex={1} className={classes(columns, 'border-b border-line px-5 py-1.5')}>
            {titles.map((title) => (
              <div key={title} role="columnheader" className="text-small font-medium text-ink-3">
                {title}
              </div>
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          className="relative"
          style={{ blockSize: virtual.getTotalSize() }}
          onClick={onFollow}
        >
          {items.map((item) => {
            const entry = entries[item.index]
            if (entry === undefined) return null
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className="absolute inset-x-0 top-0 border-b border-line/60 px-1 py-px md:px-2"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {isNewDay(entries, item.index) ? <DayHeading at={entry.at} /> : null}
                <EntryRow
                  entry={entry}
                  index={item.index}
                  isCurrent={entry.seq === current}
                  href={hrefOf(entry.seq)}
                  columns={columns}
                  moments={moments}
                />
              </div>
            )
          })}
        </div>
      </div>
      <div className="px-5 py-4">{end}</div>
    </div>
  )
}

function isNewDay(entries: readonly LedgerEntryView[], index: number): boolean {
  const [before, entry] = [entries[index - 1], entries[index]]
  return entry !== undefined && (before === undefined || dayKey(before.at) !== dayKey(entry.at))
}

/** To a reader every row has its time; the heading is for the eye. */
function DayHeading({ at }: { at: string }) {
  return (
    <div aria-hidden className="px-3 pt-3 pb-1 text-small font-[600] text-ink-2">
      {formats().date({ weekday: 'long', day: 'numeric', month: 'long' }).format(new Date(at))}
    </div>
  )
}

/** Follows the links of rows within the app; a new tab or window stays the browser's. */
function useFollowing(): (event: MouseEvent) => void {
  const go = useGo()
  return (event) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    const link = (event.target as Element).closest('a[data-entry]')
    const href = link?.getAttribute('href')
    if (!isPlain || href === null || href === undefined) return
    event.preventDefault()
    go(href)
  }
}

function columnsOf(isCompact: boolean): string {
  return classes(
    'md:grid md:items-baseline md:gap-x-3',
    isCompact
      ? 'md:grid-cols-[3.75rem_7rem_minmax(0,1fr)_6.5rem_5rem]'
      : 'md:grid-cols-[4.5rem_7.5rem_minmax(0,1fr)_7.5rem_6.5rem]',
  )
}
