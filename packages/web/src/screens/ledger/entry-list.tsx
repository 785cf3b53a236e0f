/** Owns the list in whatever state it is: loading, empty, without a match, with news, or at its beginning. */

import { useCallback } from 'react'
import { Button, ButtonLink, EmptyState, ErrorState, Skeleton } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/ledger.tsx'
import { EntryTable } from './entry-table.tsx'
import type { LayoutProps } from './layout-props.ts'

export function EntryList({
  ledger,
  q,
  onAsk,
  current,
  hrefOf,
  following,
}: Pick<LayoutProps, 'ledger' | 'q' | 'onAsk' | 'current' | 'hrefOf' | 'following'>) {
  const { entries, older, hasOlder } = ledger
  const isEmpty = entries.length === 0
  // A page without a match says so and waits: a ledger of years is not searched through unasked.
  const onEnd = useCallback(() => (isEmpty ? undefined : older()), [isEmpty, older])
  if (ledger.isLoading) return <Skeleton rows={10} className="flex-1 p-6" />
  if (isEmpty && ledger.error !== null)
    return <ErrorState error={ledger.error} onRetry={ledger.retry} className="p-6" />
  if (isEmpty && !hasOlder)
    return q === '' ? (
      <EmptyState
        sentence={words.list.empty}
        action={<ButtonLink to="/chat/new">{words.list.ask}</ButtonLink>}
        className="p-6"
      />
    ) : (
      <EmptyState
        sentence={words.list.noMatch(ledger.size)}
        action={<Button onClick={() => onAsk('')}>{words.list.clear}</Button>}
        className="p-6"
      />
    )
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {ledger.waiting > 0 && !following ? (
        <div className="absolute inset-x-0 top-9 z-20 flex justify-center max-md:top-2">
          <Button variant="go" size="small" className="shadow-2" onClick={ledger.showNewer}>
            {words.list.fresh(ledger.waiting)}
          </Button>
        </div>
      ) : null}
      {ledger.error === null ? null : (
        <p role="status" className="flex flex-wrap items-center gap-2 px-3 py-1.5 text-small text-ink-3">
          {words.list.notRefreshed}
          <Button variant="quiet" size="small" onClick={ledger.retry}>
            {common.tryAgain}
          </Button>
        </p>
      )}
      <EntryTable
        entries={entries}
        current={current}
        hrefOf={hrefOf}
        following={following}
        onEnd={onEnd}
        end={<End ledger={ledger} />}
      />
    </div>
  )
}

function End({ ledger }: Pick<LayoutProps, 'ledger'>) {
  const { hasOlder, isLoadingOlder, looked, size, older } = ledger
  if (!hasOlder) return <p className="text-small text-ink-3">{words.list.beginning(size)}</p>
  return (
    <div className="flex flex-wrap items-center gap-3 text-small text-ink-3">
      <span>{words.list.searched(looked, size)}</span>
      <Button size="small" busy={isLoadingOlder} onClick={older}>
        {isLoadingOlder ? words.list.searching : words.list.further}
      </Button>
    </div>
  )
}
