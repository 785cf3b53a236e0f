/** Owns one row of the ledger: number, time, sentence, tier and outcome; beneath each other on a phone. */
import type { LedgerEntryView } from '@countersign/contract'
import { memo } from 'react'
import { classes, Safe, TierChip } from '../../kit/index.ts'
import type { Moments } from './moments.ts'
import { Outcome } from './outcome.tsx'

export interface EntryRowProps {
  readonly entry: LedgerEntryView
  readonly index: number
  readonly isCurrent: boolean
  readonly href: string
  readonly columns: string
  readonly moments: Moments
}

/** The whole row is its link. Who follows it is asked in one place, by the table. */
export const EntryRow = memo(function EntryRow({
  entry,
  index,
  isCurrent,
  href,
  columns,
  moments,
}: EntryRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      {...(isCurrent ? { 'aria-current': 'true' as const } : {})}
      className={classes(
        'row relative px-3 py-[6px] max-md:flex max-md:flex-wrap max-md:gap-x-2 max-md:py-2',
        columns,
      )}
    >
      <div role="cell" className="text-small text-ink-3 max-md:order-1">
        #{entry.seq}
      </div>
      <div role="cell" className="text-small text-ink-2 max-md:order-2">
        <time dateTime={entry.at} title={moments.exact(entry.at)} className="whitespace-nowrap">
          {moments.short(entry.at)}
        </time>
      </div>
      <div role="cell" className="min-w-0 max-md:order-5 max-md:mt-0.5 max-md:basis-full">
        <a
          href={href}
          data-entry={entry.seq}
          className="line-clamp-2 outline-none after:absolute after:inset-0 after:rounded-1 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-act"
        >
          <Safe text={entry.sentence} />
        </a>
      </div>
      <div role="cell" className="max-md:order-3 max-md:ms-auto max-md:empty:hidden">
        {entry.tier === null ? null : <TierChip tier={entry.tier} />}
      </div>
      <div
        role="cell"
        className={classes('max-md:order-4 max-md:empty:hidden', entry.tier === null && 'max-md:ms-auto')}
      >
        {entry.outcome === null ? null : <Outcome outcome={entry.outcome} />}
      </div>
    </div>
  )
})
