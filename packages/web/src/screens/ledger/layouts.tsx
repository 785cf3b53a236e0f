/** Owns where the parts of the ledger stand: counts, list and drawer side by side, or one after the other on a phone. */

import { ArrowDown, ArrowLeft, ChartColumn, Download, Filter, Pause } from 'lucide-react'
import { useState } from 'react'
import { Button, Checkbox, classes, Dialog, Menu, PlainLink, StaleNote } from '../../kit/index.ts'
import { words } from '../../words/ledger.tsx'
import { ActsCharts } from './acts-chart.tsx'
import { EntryList } from './entry-list.tsx'
import { Facets } from './facets.tsx'
import type { LayoutProps } from './layout-props.ts'
import { QueryBar } from './query-bar.tsx'
import { SavedQueries } from './saved-queries.tsx'
import { BrokenBanner, VerifyBadge } from './verify-badge.tsx'

export function WideLedger(props: LayoutProps) {
  const { q, input, onAsk, ledger, verification, hrefOf, detail } = props
  return (
    <div className="flex h-full flex-col">
      <BrokenBanner verification={verification} hrefOf={hrefOf} />
      <div className="border-b border-line px-6 pt-4 pb-3 lg:px-8">
        <Heading {...props} />
        <QueryBar q={q} onAsk={onAsk} input={input} />
        <SavedQueries q={q} onAsk={onAsk} />
      </div>
      <div
        className={classes(
          'grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)]',
          detail === null
            ? 'grid-cols-[14.5rem_minmax(0,1fr)]'
            : 'grid-cols-[minmax(0,1fr)_minmax(22rem,30rem)] 2xl:grid-cols-[14.5rem_minmax(0,1fr)_34rem]',
        )}
      >
        <aside
          aria-label={words.counts}
          className={classes(
            'overflow-y-auto border-e border-line px-4 py-3 lg:ps-6',
            detail !== null && 'max-2xl:hidden',
          )}
        >
          <Facets facets={ledger.facets} q={q} onAsk={onAsk} />
        </aside>
        <EntryList {...props} />
        {detail === null ? null : (
          <div className="overflow-y-auto border-s border-line bg-paper px-5 pt-4 pb-10">{detail}</div>
        )}
      </div>
    </div>
  )
}

export function PhoneLedger(props: LayoutProps) {
  const { q, input, onAsk, ledger, verification, hrefOf, backTo, detail } = props
  const [filtering, setFiltering] = useState(false)
  if (detail !== null)
    return (
      <div>
        <h1 className="sr-only">{words.title}</h1>
        <PlainLink
          to={backTo}
          className="target m-2 inline-flex items-center gap-1.5 rounded-1 px-2 py-1.5 text-small font-medium text-ink-2"
        >
          <ArrowLeft size={16} aria-hidden className="rtl:rotate-180" />
          {words.title}
        </PlainLink>
        <div className="px-4 pb-8">{detail}</div>
      </div>
    )
  return (
    <div className="flex h-[calc(100dvh-3rem-var(--thumb-bar))] min-h-[24rem] flex-col">
      <BrokenBanner verification={verification} hrefOf={hrefOf} />
      <div className="border-b border-line px-4 pt-3 pb-2">
        <Heading {...props} onFilter={() => setFiltering(true)} />
        <QueryBar q={q} onAsk={onAsk} input={input} />
        <SavedQueries q={q} onAsk={onAsk} />
      </div>
      <EntryList {...props} />
      <Dialog open={filtering} onClose={() => setFiltering(false)} title={words.showOnly} place="edge">
        <Facets facets={ledger.facets} q={q} onAsk={onAsk} />
      </Dialog>
    </div>
  )
}

function Heading({
  ledger,
  verification,
  exporting,
  following,
  onFollow,
  hrefOf,
  onFilter,
  machine,
  onMachine,
}: LayoutProps & { onFilter?: () => void }) {
  return (
    <div className="mb-2.5 flex flex-wrap items-center gap-x-3 gap-y-1">
      <h1 tabIndex={-1}>{words.title}</h1>
      {ledger.isLoading ? null : <span className="text-small text-ink-2">{words.entries(ledger.size)}</span>}
      <StaleNote at={ledger.at} />
      <div className="ms-auto max-md:-me-3">
        <VerifyBadge verification={verification} onExport={exporting.whole} hrefOf={hrefOf} />
      </div>
      <div className="flex flex-wrap items-center gap-1 max-md:-mx-3 max-md:basis-full">
        {onFilter === undefined ? null : (
          <Button variant="quiet" icon={Filter} onClick={onFilter}>
            {words.filter}
          </Button>
        )}
        <ExportMenu exporting={exporting} />
        <Checkbox label={words.machine} checked={machine} onChange={onMachine} />
        <ChartsButton />
        <Button
          variant={following ? 'plain' : 'quiet'}
          icon={following ? Pause : ArrowDown}
          aria-pressed={following}
          keys="f"
          onClick={() => onFollow(!following)}
        >
          {following ? words.following : words.follow}
        </Button>
      </div>
    </div>
  )
}

/** The pictures take the whole width, so they have a window of their own. */
function ChartsButton() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" icon={ChartColumn} onClick={() => setOpen(true)}>
        {words.charts.open}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={words.charts.title} size="large">
        {open ? <ActsCharts /> : null}
      </Dialog>
    </>
  )
}

function ExportMenu({ exporting }: Pick<LayoutProps, 'exporting'>) {
  return (
    <Menu
      label={
        <>
          <Download size={16} strokeWidth={1.75} aria-hidden className="-ms-0.5" />
          {exporting.isBusy ? words.exporting : words.export}
        </>
      }
      items={[
        {
          label: words.exports.lines,
          detail: words.exports.linesAbout,
          run: () => exporting.matches('jsonl'),
        },
        {
          label: words.exports.csv,
          detail: words.exports.csvAbout,
          run: () => exporting.matches('csv'),
        },
        {
          label: words.exports.whole,
          detail: words.exports.wholeAbout,
          run: exporting.whole,
        },
      ]}
    />
  )
}
