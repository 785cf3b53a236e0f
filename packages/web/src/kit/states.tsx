/** Owns the states that every screen has beside its content: loading, empty, error, offline, not allowed. */

import { CountersignError } from '@countersign/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLive } from '../environment/services.tsx'
import { words } from '../words/common.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { CopyButton } from './command.tsx'
import { nextStep } from './next-step.ts'
import { Time } from './time.tsx'

/** Grey lines in the place of what comes. They appear after 300 ms. */
export function Skeleton({ rows = 4, className }: { rows?: number; className?: string | undefined }) {
  return (
    <div role="status" className={classes('late', className)}>
      <span className="sr-only">{words.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} aria-hidden className="mb-4 space-y-2">
          <div className="h-3.5 rounded-1 bg-line" style={{ inlineSize: `${[62, 48, 71, 55][row % 4]}%` }} />
          <div className="h-3 rounded-1 bg-line/60" style={{ inlineSize: `${[38, 30, 44, 26][row % 4]}%` }} />
        </div>
      ))}
    </div>
  )
}

export interface EmptyStateProps {
  /** One sentence. */
  readonly sentence: string
  /** One thing to do about it. */
  readonly action?: ReactNode
  readonly className?: string | undefined
}

export function EmptyState({ sentence, action, className }: EmptyStateProps) {
  return (
    <div className={classes('flex max-w-prose flex-col items-start gap-3 py-6', className)}>
      <p className="text-ink-2">{sentence}</p>
      {action}
    </div>
  )
}

/** Code, cause, what to do next, and something to copy for whoever helps. */
export function ErrorState({
  error,
  onRetry,
  className,
}: {
  error: Error
  onRetry?: (() => void) | undefined
  className?: string | undefined
}) {
  const known = error instanceof CountersignError ? error : undefined
  const next = nextStep(error)
  return (
    <div role="alert" className={classes('max-w-prose', className)}>
      <div className="flex items-start gap-3 rounded-2 border border-bad bg-bad-soft px-4 py-3">
        <CircleAlert size={18} strokeWidth={1.75} aria-hidden className="mt-px shrink-0 text-bad" />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-bad">{titleOf(known)}</p>
          <p className="mt-1">{error.message}</p>
          {next === null ? null : <p className="mt-1 text-ink-2">{next}</p>}
          <div className="mt-3 flex flex-wrap items-center gap-2">
            {onRetry === undefined ? null : (
              <Button icon={RotateCw} onClick={onRetry}>
                {words.tryAgain}
              </Button>
            )}
            <CopyButton text={diagnosticsOf(error)} label={words.copyDetails} />
            <span className="text-small text-ink-2">{words.error.code(known?.code ?? 'internal')}</span>
          </div>
        </div>
      </div>
    </div>
  )
}

/** Says that what is shown is old, beside what is shown. Nothing while the connection is there. */
export function StaleNote({ at, className }: { at: string | null; className?: string | undefined }) {
  const connected = useLive(isLive)
  if (connected) return null
  return (
    <p className={classes('text-small text-ink-3', className)}>
      {words.stale.offline}{' '}
      {at === null ? (
        words.stale.maybeOld
      ) : (
        <>
          {words.stale.asOf} <Time at={at} />.
        </>
      )}
    </p>
  )
}

export interface LoadedProps<T> {
  readonly query: UseQueryResult<T>
  readonly children: (data: T) => ReactNode
  /** In the place of the usual skeleton. */
  readonly skeleton?: ReactNode
  /** Shown where `isEmpty` says so. */
  readonly empty?: ReactNode
  readonly isEmpty?: (data: T) => boolean
  readonly className?: string | undefined
}

/** An answer in whatever state it is. Old data stays while it is asked for anew, and says its age when that fails. */
export function Loaded<T>({ query, children, skeleton, empty, isEmpty, className }: LoadedProps<T>) {
  const { data, error, dataUpdatedAt } = query
  const retry = () => void query.refetch()
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={retry} className={className ?? ''} />
    return skeleton ?? <Skeleton className={className ?? ''} />
  }
  return (
    <>
      {error === null ? null : (
        <p role="status" className="mb-2 flex flex-wrap items-center gap-2 text-small text-ink-3">
          {words.stale.notRefreshed} <Time at={new Date(dataUpdatedAt).toISOString()} />.
          <Button variant="quiet" size="small" onClick={retry}>
            {words.tryAgain}
          </Button>
        </p>
      )}
      {isEmpty?.(data) === true && empty !== undefined ? empty : children(data)}
    </>
  )
}

const isLive = (live: { link: { kind: string } }): boolean => live.link.kind === 'live'

function titleOf(error: CountersignError | undefined): string {
  switch (error?.code) {
    case 'gateway_unreachable':
      return words.error.unreachable
    case 'not_authenticated':
      return words.error.notSignedIn
    case 'denied_by_policy':
      return words.error.notAllowed
    case 'not_found':
      return words.error.notFound
    case undefined:
      return words.error.page
    default:
      return words.error.other
  }
}

function diagnosticsOf(error: Error): string {
  const known = error instanceof CountersignError ? error : undefined
  return [
    `code: ${known?.code ?? 'internal'}`,
    `message: ${error.message}`,
    `page: ${window.location.pathname}`,
    `details: ${JSON.stringify(known?.details ?? {})}`,
    known === undefined ? `stack: ${error.stack ?? 'none'}` : '',
  ]
    .filter((line) => line !== '')
    .join('\n')
}
