/** Owns the parts of Today: a heading, a few words beside it, and what belongs to it. */

import { CountersignError } from '@countersign/contract'
import { type ReactNode, useId } from 'react'
import { classes, Loaded, type LoadedProps } from '../../kit/index.ts'
import { words } from '../../words/today.tsx'

export function Block({
  title,
  note,
  aside,
  children,
  className,
}: {
  title: string
  note?: ReactNode
  aside?: ReactNode
  children: ReactNode
  className?: string
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes('mb-8', className)}>
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <div className="text-small text-ink-2">{note}</div>}
        {aside === undefined ? null : <div className="ms-auto text-small">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** An answer, or one quiet line while the gateway is away: the banner above says the rest once. */
export function Known<T>(props: LoadedProps<T>) {
  const { data, error } = props.query
  if (data === undefined && error instanceof CountersignError && error.code === 'gateway_unreachable')
    return <p className="text-ink-3">{words.unknownOffline}</p>
  return <Loaded {...props} />
}

/** The line of a list on a sheet. */
export const lineClasses = 'flex items-start gap-3 border-t border-line px-4 py-3 first:border-t-0'
